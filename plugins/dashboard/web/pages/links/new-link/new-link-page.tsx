import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { linkQuery } from '../../../api/links/links.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { NotFound } from '../../../shell/start/failed.tsx'
import { texts } from '../../../texts.ts'
import { MadeLink } from './made-link.tsx'
import { NewLink } from './new-link.tsx'

const route = getRouteApi('/inside/links/new')

/** Creates a link, empty at first or as a copy of another, and shows it to copy. */
export function NewLinkPage() {
  const { url, title, like, made } = route.useSearch()
  if (made) return <MadeLink id={made} />
  if (like) return <Duplicate key={like} id={like} />
  return <NewLink key={url} url={url} title={title} />
}

function Duplicate({ id }: { readonly id: string }) {
  const { data, error } = useQuery(linkQuery(id))
  if (data) return <NewLink like={data.link} />
  if (error) return <NotFound />
  return (
    <Page title={texts.newLink.title}>
      <Rows />
    </Page>
  )
}
