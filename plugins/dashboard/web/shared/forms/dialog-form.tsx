import { Button, Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { FormProblem } from '../notices/form-problem.tsx'

export interface DialogFormProps {
  /** This and the next two come from `useSubmit`. */
  submit(event?: SubmitEvent<HTMLFormElement>): void
  readonly isPending: boolean
  readonly problem: string | null | undefined
  readonly submitLabel: string
  /** What is wrong is for the API to say. */
  readonly noValidate?: boolean
  readonly children: ReactNode
}

/** A form as dialogs have it: what is wrong with it as a whole, its inputs, its button. */
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
