import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { campaignQuery } from '../../api/links/campaigns.ts'
import { texts } from '../../texts.ts'
import { GroupReport } from './group-report.tsx'

const route = getRouteApi('/inside/campaigns/$id/analytics')

/** The analytics of all links in a campaign. */
export function CampaignAnalyticsPage() {
  const { id } = route.useParams()
  const { data, error } = useQuery(campaignQuery(id))
  if (error && !data) throw error
  return (
    <GroupReport
      subject={{ kind: 'campaigns', id }}
      group={data?.data}
      leadOf={texts.analytics.ofCampaign}
      links={{ campaign: id }}
    />
  )
}
