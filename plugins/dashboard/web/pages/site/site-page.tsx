import { VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTitle } from '../../shared/page/page.tsx'
import { siteName, useSites } from '../../shell/navigation/use-places.ts'
import { NotFound } from '../../shell/start/failed.tsx'
import classes from './site-page.module.css'

const route = getRouteApi('/inside/sites/$site')

/** The page of a plugin that is a document of its own, beside the menu. */
export function SitePage() {
  const { site } = route.useParams()
  const shown = useSites().find(({ path }) => siteName(path) === site)
  useTitle(shown?.label ?? site)
  if (!shown) return <NotFound />
  return (
    <>
      <VisuallyHidden component="h1">{shown.label}</VisuallyHidden>
      <iframe className={classes.frame} src={shown.path} title={shown.label} />
    </>
  )
}
