import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { allCampaignsQuery, type Campaign } from '../../api/campaigns.ts'
import { freshColor } from '../../shared/color-field.tsx'
import { Empty } from '../../shared/empty.tsx'
import { IconPlus, IconSpeakerphone } from '../../shared/icons.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { Note } from '../../shared/note.tsx'
import { Page } from '../../shared/page.tsx'
import { Rows } from '../../shared/rows.tsx'
import classes from '../../shared/things.module.css'
import { TryAgain } from '../../shared/try-again.tsx'
import { useAllowance } from '../../shared/use-allowance.ts'
import { useDialog } from '../../shared/use-dialog.ts'
import { texts } from '../../texts.ts'
import { CampaignDialog } from './campaign-dialog.tsx'
import { CampaignRow } from './campaign-row.tsx'

/** Every campaign of the account, with what its links add up to. */
export function CampaignsPage() {
  const { data, error, refetch, ...paging } = useInfiniteQuery(allCampaignsQuery)
  const { canMake, canChange, reason, used } = useAllowance('campaigns')
  const dialog = useDialog<Campaign>()
  const isEmpty = data?.total === 0
  const add = (
    <Button leftSection={<IconPlus size={18} />} disabled={!canMake} onClick={() => dialog.open()}>
      {texts.campaigns.create}
    </Button>
  )

  return (
    <Page
      title={texts.campaigns.title}
      lead={used ?? texts.campaigns.lead}
      actions={!isEmpty && add}
    >
      <Note text={reason} />
      {!data ? (
        error ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <Rows />
        )
      ) : isEmpty ? (
        <Empty
          icon={<IconSpeakerphone size={40} stroke={1.5} />}
          heading={texts.campaigns.emptyHeading}
          lead={texts.campaigns.emptyLead}
        >
          {add}
        </Empty>
      ) : (
        <>
          <VisuallyHidden component="h2">{texts.campaigns.list}</VisuallyHidden>
          <ul className={classes.list}>
            {data.items.map(campaign => (
              <CampaignRow
                key={campaign.id}
                campaign={campaign}
                {...(canChange && { onEdit: dialog.open })}
              />
            ))}
          </ul>
          <MoreButton {...paging} />
        </>
      )}
      <CampaignDialog
        campaign={dialog.subject}
        color={freshColor(data?.items.map(({ color }) => color) ?? [])}
        isOpen={dialog.isOpen}
        onClose={dialog.close}
      />
    </Page>
  )
}
