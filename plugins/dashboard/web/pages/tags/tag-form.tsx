import { useForm } from '@mantine/form'
import { profileKey } from '../../api/account/profile.ts'
import { linksKey } from '../../api/links/links.ts'
import { type Tag, tagsKey } from '../../api/links/tags.ts'
import { ColorField } from '../../shared/forms/color-field.tsx'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { TagBadge } from '../../shared/icons/tag-badge.tsx'
import { useRefresh } from '../../shared/page/use-refresh.ts'
import { texts } from '../../texts.ts'

interface Values {
  readonly name: string
  readonly color: string
}

export interface TagFormProps {
  readonly values: Values
  readonly submitLabel: string
  send(values: Values): Promise<Tag>
  onDone(tag: Tag): void
}

/** Name and colour of a tag, with a preview. */
export function TagForm({ values: { name, color }, submitLabel, send, onDone }: TagFormProps) {
  const refresh = useRefresh()
  const form = useForm({ initialValues: { name, color } })
  const sending = useSubmit(form, send, async tag => {
    await refresh(tagsKey, linksKey, profileKey)
    onDone(tag)
  })

  return (
    <DialogForm {...sending} submitLabel={submitLabel}>
      <NameField label={texts.tags.name} {...form.getInputProps('name')} />
      <ColorField {...form.getInputProps('color')} value={form.values.color} />
      <div>
        <TagBadge name={form.values.name || texts.tags.name} color={form.values.color} />
      </div>
    </DialogForm>
  )
}
