import { useForm } from '@mantine/form'
import { type Errors, errorsAfter } from './errors.ts'
import type { LinkValues } from './values.ts'

/** The state of the form. */
export function useLinkForm(initialValues: LinkValues) {
  const form = useForm<Record<string, unknown>>({ initialValues: { ...initialValues } })
  return {
    form,
    values: form.values as LinkValues,
    errors: form.errors as Errors,
    isDirty: form.isDirty(),
    set(name: string, value: unknown) {
      const errors = errorsAfter(form.errors, name, form.values[name], value)
      form.setFieldValue(name, value)
      form.setErrors({ ...errors } as typeof form.errors)
    },
    /** Begin anew from what is saved, with what is not saved yet. */
    rebase(base: LinkValues, values: LinkValues = base) {
      form.setInitialValues({ ...base })
      form.setValues({ ...values })
      form.resetDirty({ ...base })
      form.clearErrors()
    },
  }
}

export type LinkForm = ReturnType<typeof useLinkForm>
