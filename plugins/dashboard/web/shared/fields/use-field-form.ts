import { useForm } from '@mantine/form'
import { type Errors, errorsAfter } from './errors.ts'
import type { Values } from './values.ts'

/** The state of a form of fields. The error of a value disappears when the value changes. */
export function useFieldForm<V extends Values>(initialValues: V) {
  const form = useForm<Record<string, unknown>>({ initialValues: { ...initialValues } })
  return {
    form,
    values: form.values as V,
    errors: form.errors as Errors,
    isDirty: form.isDirty(),
    set(name: string, value: unknown) {
      const errors = errorsAfter(form.errors, name, form.values[name], value)
      form.setFieldValue(name, value)
      form.setErrors({ ...errors } as typeof form.errors)
    },
    /** Start again from the saved values, keeping changes that are not saved yet. */
    rebase(base: V, values: V = base) {
      form.setInitialValues({ ...base })
      form.setValues({ ...values })
      form.resetDirty({ ...base })
      form.clearErrors()
    },
  }
}

export type FieldForm = ReturnType<typeof useFieldForm<Values>>
