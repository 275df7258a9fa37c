import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linksKey } from '../../api/links.ts'
import { profileKey } from '../../api/profile.ts'
import { type Tag, tagsKey } from '../../api/tags.ts'
import { ColorField } from '../../shared/color-field.tsx'
import { FormProblem } from '../../shared/form-problem.tsx'
import { NameField } from '../../shared/name-field.tsx'
import { TagBadge } from '../../shared/tag-badge.tsx'
import { useRefresh } from '../../shared/use-refresh.ts'
import { useSubmit } from '../../shared/use-submit.ts'
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

/** Name and colour of a tag, as it will look. */
export function TagForm({ values: { name, color }, submitLabel, send, onDone }: TagFormProps) {
  const refresh = useRefresh()
  const form = useForm({ initialValues: { name, color } })
  const { submit, isPending, problem } = useSubmit(form, send, async tag => {
    await refresh(tagsKey, linksKey, profileKey)
    onDone(tag)
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <NameField label={texts.tags.name} {...form.getInputProps('name')} />
        <ColorField
          value={form.values.color}
          onChange={color => form.setFieldValue('color', color)}
        />
        <div>
          <TagBadge name={form.values.name || texts.tags.name} color={form.values.color} />
        </div>
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}
