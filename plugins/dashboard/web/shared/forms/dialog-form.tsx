import { Button, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { FormProblem } from '../notices/form-problem.tsx'

export interface DialogFormProps {
  /** This and the next two come from `useSubmit`. */
  submit(event?: SubmitEvent<HTMLFormElement>): void
  readonly isPending: boolean
  readonly problem: string | null | undefined
  readonly submitLabel: string
  /** Leaves validation to the API. */
  readonly noValidate?: boolean
  readonly children: ReactNode
}

/** The form of a dialog: the problem of the whole form, the inputs, the button. */
export function DialogForm(props: DialogFormProps) {
  const { submit, isPending, problem, submitLabel, noValidate, children } = props
  return (
    <form onSubmit={submit} noValidate={noValidate}>
      <Stack>
        <FormProblem problem={problem} />
        {children}
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}
