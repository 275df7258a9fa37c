import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { linksKey } from '../../api/links.ts'
import { profileKey } from '../../api/profile.ts'
import { type Tag, tagsKey } from '../../api/tags.ts'
import { ColorField } from '../../shared/color-field.tsx'
import { FormProblem } from '../../shared/form-problem.tsx'
import { TagBadge } from '../../shared/tag-badge.tsx'
import { useFocusFirst } from '../../shared/use-focus-first.ts'
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
  const queryClient = useQueryClient()
  const first = useFocusFirst()
  const form = useForm({ initialValues: { name, color } })
  const { submit, isPending, problem } = useSubmit(form, send, async tag => {
    await Promise.all(
      [tagsKey, linksKey, profileKey].map(queryKey => queryClient.invalidateQueries({ queryKey })),
    )
    onDone(tag)
  })

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          ref={first}
          data-autofocus
          label={texts.tags.name}
          maxLength={100}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
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
