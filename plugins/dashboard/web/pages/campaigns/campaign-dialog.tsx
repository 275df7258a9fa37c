import {
  type Campaign,
  campaignsKey,
  createCampaign,
  readCampaign,
  updateCampaign,
} from '../../api/links/campaigns.ts'
import { EditDialog } from '../../shared/forms/edit-dialog.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { texts } from '../../texts.ts'
import { CampaignForm } from './campaign-form.tsx'

export interface CampaignDialogProps {
  /** What is edited; undefined for a new one. */
  readonly campaign: Pick<Campaign, 'id'> | undefined
  /** The initial colour of a new campaign. */
  readonly color: string
  readonly isOpen: boolean
  onClose(): void
}

/** Creates a campaign, or changes one. */
export function CampaignDialog({ campaign, color, isOpen, onClose }: CampaignDialogProps) {
  return (
    <EditDialog
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={campaign ? campaignsTexts.edit : campaignsTexts.create}
      subject={campaign}
      kind={campaignsKey}
      read={readCampaign}
      height={420}
      add={
        <CampaignForm
          values={{ name: '', description: null, color, startsAt: null, endsAt: null }}
          submitLabel={campaignsTexts.submit}
          send={createCampaign}
          onDone={({ name }) => {
            notifyDone(campaignsTexts.made(name))
            onClose()
          }}
        />
      }
    >
      {(current, save) => (
        <CampaignForm
          values={current}
          submitLabel={texts.common.save}
          send={body => save(etag => updateCampaign(current.id, body, etag))}
          onDone={onClose}
        />
      )}
    </EditDialog>
  )
}
