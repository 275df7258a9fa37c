import {
  type Campaign,
  campaignsKey,
  createCampaign,
  readCampaign,
  updateCampaign,
} from '../../api/campaigns.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { notifyDone } from '../../shared/notify.ts'
import { useVersion } from '../../shared/use-version.ts'
import { Versioned } from '../../shared/versioned.tsx'
import { texts } from '../../texts.ts'
import { CampaignForm } from './campaign-form.tsx'

export interface CampaignDialogProps {
  /** What is edited; undefined for a new one. */
  readonly campaign: Pick<Campaign, 'id'> | undefined
  /** Of a new one, until another is chosen. */
  readonly color: string
  readonly isOpen: boolean
  onClose(): void
}

/** Make a campaign, or change one. */
export function CampaignDialog({ campaign, color, isOpen, onClose }: CampaignDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={campaign ? texts.campaigns.edit : texts.campaigns.create}
    >
      {campaign ? (
        <EditCampaign id={campaign.id} onDone={onClose} />
      ) : (
        <AddCampaign color={color} onDone={onClose} />
      )}
    </Dialog>
  )
}

function AddCampaign({ color, onDone }: { readonly color: string; onDone(): void }) {
  return (
    <CampaignForm
      values={{ name: '', description: null, color, startsAt: null, endsAt: null }}
      submitLabel={texts.campaigns.submit}
      send={createCampaign}
      onDone={({ name }) => {
        notifyDone(texts.campaigns.made(name))
        onDone()
      }}
    />
  )
}

function EditCampaign({ id, onDone }: { readonly id: string; onDone(): void }) {
  const current = useVersion([...campaignsKey, id], () => readCampaign(id))
  return (
    <Versioned of={current} height={420}>
      {campaign => (
        <CampaignForm
          values={campaign}
          submitLabel={texts.common.save}
          send={body => current.save(etag => updateCampaign(id, body, etag))}
          onDone={onDone}
        />
      )}
    </Versioned>
  )
}
