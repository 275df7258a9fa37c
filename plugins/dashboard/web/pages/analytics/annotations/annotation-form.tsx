import { Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { annotationsKey, type NewAnnotation } from '../../../api/analytics/annotations.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'

export interface AnnotationFormProps {
  readonly values: NewAnnotation
  readonly submitLabel: string
  send(values: NewAnnotation): Promise<void>
  onDone(): void
  /** Below the button. */
  readonly aside?: ReactNode
}

/** The form for a day and what happened on it. */
export function AnnotationForm(props: AnnotationFormProps) {
  const { values, submitLabel, send, onDone, aside } = props
  const refresh = useRefresh()
  const form = useForm({ initialValues: { ...values } })
  const sending = useSubmit(form, send, async () => {
    await refresh(annotationsKey)
    onDone()
  })
  return (
    <Stack gap="xs">
      <DialogForm {...sending} submitLabel={submitLabel}>
        <TextInput
          label={analyticsTexts.annotations.text}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('text')}
        />
        <TextInput
          type="date"
          label={analyticsTexts.annotations.day}
          required
          {...form.getInputProps('day')}
        />
      </DialogForm>
      {aside}
    </Stack>
  )
}
