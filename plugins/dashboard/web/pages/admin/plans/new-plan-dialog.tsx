import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createPlan, type Plan, plansKey, plansQuery } from '../../../api/admin/plans.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { slugOf } from './slug-of.ts'

export interface NewPlanDialogProps {
  /** The plan to copy; chosen in the dialog if not given. */
  readonly original?: Plan
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.plans

/** Creates a plan as a copy of another and opens its page to change it. */
export function NewPlanDialog({ original, isOpen, onClose }: NewPlanDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={original ? words.copy : words.create}>
      <NewPlanForm original={original} />
    </Dialog>
  )
}

function NewPlanForm({ original }: { readonly original: Plan | undefined }) {
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { data: plans = [] } = useQuery(plansQuery)
  const name = original ? words.copyName(original.name) : ''
  const form = useForm({
    initialValues: { name, slug: slugOf(name), copy_of: original?.slug ?? 'free' },
  })
  const sending = useSubmit(form, createPlan, async plan => {
    await refresh(plansKey)
    notifyDone(words.made(plan.name))
    await navigate({ to: '/admin/plans/$slug', params: { slug: plan.slug } })
  })
  const nameField = form.getInputProps('name')

  return (
    <DialogForm {...sending} submitLabel={words.submit}>
      <NameField
        label={words.name}
        maxLength={60}
        {...nameField}
        onChange={event => {
          const { name, slug } = form.getValues()
          // The slug follows the name until somebody edits it.
          if (slug === slugOf(name)) form.setFieldValue('slug', slugOf(event.currentTarget.value))
          nameField.onChange(event)
        }}
      />
      <TextInput
        label={words.slug}
        description={words.slugHint}
        required
        maxLength={30}
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('slug')}
      />
      {!original && (
        <Select
          label={words.copyOf}
          description={words.copyOfHint}
          data={plans.map(({ slug, name }) => ({ value: slug, label: name }))}
          allowDeselect={false}
          {...form.getInputProps('copy_of')}
        />
      )}
    </DialogForm>
  )
}
