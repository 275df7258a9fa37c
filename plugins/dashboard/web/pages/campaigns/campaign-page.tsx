import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type Campaign, campaignQuery } from '../../api/links/campaigns.ts'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { IconChartLine, IconPencil, IconTrash } from '../../shared/icons/icons.ts'
import { TryAgain } from '../../shared/notices/try-again.tsx'
import { BackLink } from '../../shared/page/back-link.tsx'
import { Page } from '../../shared/page/page.tsx'
import { useAllowance } from '../../shared/page/use-allowance.ts'
import { useStillHere } from '../../shared/page/use-still-here.ts'
import { Pending } from '../../shell/start/pending.tsx'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { texts } from '../../texts.ts'
import { CampaignDialog } from './campaign-dialog.tsx'
import { CampaignLinks } from './campaign-links.tsx'
import { CampaignNumbers } from './campaign-numbers.tsx'
import { useDeleteCampaign } from './use-delete-campaign.ts'

const route = getRouteApi('/inside/campaigns/$id')

/** One campaign: its totals and its most visited links. */
export function CampaignPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(campaignQuery(id))
  return (
    <>
      <BackLink to="/campaigns" label={campaignsTexts.back} />
      {data && <OneCampaign campaign={data.data} />}
      {!data && (error ? <TryAgain error={error} onRetry={refetch} /> : <Pending />)}
    </>
  )
}

function OneCampaign({ campaign }: { readonly campaign: Campaign }) {
  const { name, description } = campaign
  return (
    <Page title={name} lead={description} actions={<Actions campaign={campaign} />}>
      <CampaignNumbers campaign={campaign} />
      <CampaignLinks campaign={campaign} />
    </Page>
  )
}

function Actions({ campaign }: { readonly campaign: Campaign }) {
  const { canChange } = useAllowance('campaigns')
  const dialog = useDialog<Campaign>()
  const navigate = useNavigate()
  const isHere = useStillHere()
  const remove = useDeleteCampaign(campaign, () => isHere() && navigate({ to: '/campaigns' }))
  return (
    <>
      <Button
        leftSection={<IconChartLine size={18} />}
        renderRoot={props => (
          <Link {...props} to="/campaigns/$id/analytics" params={{ id: campaign.id }} />
        )}
      >
        {campaignsTexts.analytics}
      </Button>
      {canChange && (
        <Button
          variant="default"
          leftSection={<IconPencil size={17} />}
          onClick={() => dialog.open(campaign)}
        >
          {texts.common.edit}
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={17} />} onClick={remove}>
        {texts.common.delete}
      </Button>
      <CampaignDialog
        campaign={campaign}
        color={campaign.color}
        isOpen={dialog.isOpen}
        onClose={dialog.close}
      />
    </>
  )
}
