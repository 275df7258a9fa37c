import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '../../api/client/problem.ts'
import { messageOf } from '../notices/notify.ts'

/**
 * Submit a form. If its values have the names of the request's fields, the errors of the API show at their
 * inputs; `problem` has what belongs to no input, for a `FormProblem` above the button.
 */
export function useSubmit<Values extends object, Result>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<Result>,
  onDone: (result: Result) => unknown,
) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: send,
    meta: { showsProblem: true },
    onSuccess: onDone,
    onError(error) {
      if (error instanceof Problem) form.setErrors(error.fields)
    },
  })
  return {
    /** For the `onSubmit` of a `<form>`. */
    submit: form.onSubmit(values => mutate(values)),
    isPending,
    problem: error && unshown(error, form.getValues()),
    reset,
  }
}

/** The errors that no input shows: a problem without fields, and fields without an input. */
function unshown(error: unknown, values: object): string | undefined {
  if (!(error instanceof Problem)) return messageOf(error)
  const fields = Object.entries(error.fields)
  const others = fields.filter(([field]) => !((/^\w+/.exec(field)?.[0] ?? '') in values))
  if (fields.length === 0) return messageOf(error)
  return others.length === 0 ? undefined : others.map(it => it.join(': ')).join(' ')
}
