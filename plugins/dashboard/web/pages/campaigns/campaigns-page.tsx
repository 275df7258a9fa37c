import { useInfiniteQuery } from '@tanstack/react-query'
import { allCampaignsQuery, type Campaign } from '../../api/links/campaigns.ts'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { freshColor } from '../../shared/forms/color-field.tsx'
import { IconSpeakerphone } from '../../shared/icons/icons.ts'
import { ListPage } from '../../shared/lists/list-page.tsx'
import { useAllowance } from '../../shared/page/use-allowance.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { CampaignDialog } from './campaign-dialog.tsx'
import { CampaignRow } from './campaign-row.tsx'

/** All campaigns of the account, each with its totals. */
export function CampaignsPage() {
  const campaigns = useInfiniteQuery(allCampaignsQuery)
  const { canMake, canChange, reason, used } = useAllowance('campaigns')
  const dialog = useDialog<Campaign>()
  return (
    <ListPage
      of={campaigns}
      words={campaignsTexts}
      icon={IconSpeakerphone}
      reason={reason}
      used={used}
      canAdd={canMake}
      onAdd={() => dialog.open()}
      row={campaign => (
        <CampaignRow
          key={campaign.id}
          campaign={campaign}
          onEdit={canChange ? () => dialog.open(campaign) : undefined}
        />
      )}
    >
      <CampaignDialog
        campaign={dialog.subject}
        color={freshColor(campaigns.data?.items.map(({ color }) => color) ?? [])}
        isOpen={dialog.isOpen}
        onClose={dialog.close}
      />
    </ListPage>
  )
}
