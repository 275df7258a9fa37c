import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { profileKey } from '../../api/account/profile.ts'
import { type Campaign, campaignsKey, type NewCampaign } from '../../api/links/campaigns.ts'
import { linksKey } from '../../api/links/links.ts'
import { ColorField } from '../../shared/forms/color-field.tsx'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useRefresh } from '../../shared/page/use-refresh.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'
import classes from './campaign-form.module.css'
import { localOf, momentOf } from './local-moment.ts'

export interface CampaignFormProps {
  readonly values: Pick<Campaign, 'name' | 'description' | 'color' | 'startsAt' | 'endsAt'>
  readonly submitLabel: string
  send(body: NewCampaign): Promise<Campaign>
  onDone(campaign: Campaign): void
}

/** The form for what a campaign is about and when it runs. */
export function CampaignForm({ values, submitLabel, send, onDone }: CampaignFormProps) {
  const refresh = useRefresh()
  const form = useForm({
    initialValues: {
      name: values.name,
      description: values.description ?? '',
      color: values.color,
      starts_at: localOf(values.startsAt),
      ends_at: localOf(values.endsAt),
    },
  })
  const sending = useSubmit(
    form,
    ({ name, description, color, starts_at, ends_at }) =>
      send({
        name,
        description: description.trim() || null,
        color,
        starts_at: momentOf(starts_at, values.startsAt),
        ends_at: momentOf(ends_at, values.endsAt),
      }),
    async campaign => {
      await refresh(campaignsKey, linksKey, profileKey)
      onDone(campaign)
    },
  )

  return (
    <DialogForm {...sending} submitLabel={submitLabel}>
      <NameField label={campaignsTexts.name} {...form.getInputProps('name')} />
      <Textarea
        label={campaignsTexts.description}
        maxLength={2_000}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <ColorField {...form.getInputProps('color')} value={form.values.color} />
      <div className={classes.span}>
        <TextInput
          type="datetime-local"
          label={campaignsTexts.startsAt}
          {...form.getInputProps('starts_at')}
        />
        <TextInput
          type="datetime-local"
          label={campaignsTexts.endsAt}
          {...form.getInputProps('ends_at')}
        />
        <p className={classes.hint}>{campaignsTexts.spanHint}</p>
      </div>
    </DialogForm>
  )
}
