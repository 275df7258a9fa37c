import { Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { manifestQuery } from '../../api/instance/manifest.ts'
import { Page } from '../../shared/page/page.tsx'
import { PluginPanel } from '../../shared/panels/panel.tsx'
import { NotFound } from '../../shell/start/failed.tsx'

const route = getRouteApi('/inside/plugins/$group/$name')

/** A page that a plugin declares. */
export function PanelsPage() {
  const { group, name } = route.useParams()
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const page = plugins.find(it => it.feature === `${group}.${name}`)?.dashboard.page
  if (!page) return <NotFound />
  return (
    <Page title={page.label} lead={page.lead}>
      <Stack gap="lg" maw="60rem">
        {page.panels.map(panel => (
          <PluginPanel key={panel.title} panel={panel} />
        ))}
      </Stack>
    </Page>
  )
}
