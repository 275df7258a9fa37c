import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isProblem } from '../../../api/client/problem.ts'
import { linkQuery } from '../../../api/links/links.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { NotFound } from '../../../shell/start/failed.tsx'
import { texts } from '../../../texts.ts'
import { EditLink } from './edit-link.tsx'

const route = getRouteApi('/inside/links/$id')

/** One link: its facts, its settings, its QR code. */
export function EditLinkPage() {
  const { id } = route.useParams()
  const { data, error } = useQuery(linkQuery(id))
  if (data) return <EditLink key={id} version={data} />
  if (isProblem(error, 404)) return <NotFound />
  if (error) throw error
  return (
    <Page title={texts.editLink.title}>
      <Rows />
    </Page>
  )
}
