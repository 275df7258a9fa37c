import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { tagQuery } from '../../api/links/tags.ts'
import { texts } from '../../texts.ts'
import { GroupReport } from './group-report.tsx'

const route = getRouteApi('/inside/tags/$id/analytics')

/** The analytics of all links with a tag. */
export function TagAnalyticsPage() {
  const { id } = route.useParams()
  const { data, error } = useQuery(tagQuery(id))
  if (error && !data) throw error
  return (
    <GroupReport
      subject={{ kind: 'tags', id }}
      group={data?.data}
      leadOf={texts.analytics.ofTag}
      links={{ tag: id }}
    />
  )
}
