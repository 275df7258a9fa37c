import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { Profile } from '../../api/account/profile.ts'
import { answerStep, isStep } from '../../api/account/session.ts'
import { isProblem } from '../../api/client/problem.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { settingsTexts, signInTexts } from '../../texts/settings.ts'
import { useSubmit } from '../forms/use-submit.ts'
import { FormProblem } from '../notices/form-problem.tsx'
import { messageOf } from '../notices/notify.ts'
import { StepInput } from './step-input.tsx'

interface SecondStepProps {
  readonly due: StepDue
  onDone(account: Profile): unknown
  /** The account asks one more. */
  onNext(due: StepDue): void
  /** Begin anew: they want to, or it took too long, as `problem` says. */
  onBack(problem?: string): void
}

/** The form that answers a second step of signing in. Give it the ticket as its key. */
export function SecondStep({ due, onDone, onNext, onBack, ...attributes }: SecondStepProps) {
  const { ticket, kind } = due
  const form = useForm({ initialValues: { answer: kind === 'confirm' ? 'yes' : '' } })
  const { submit, isPending, problem } = useSubmit(
    form,
    async ({ answer }) => {
      try {
        return await answerStep({ ticket, answer })
      } catch (error) {
        if (!isProblem(error, 'invalid_ticket')) throw error
        return messageOf(error)
      }
    },
    result => {
      if (typeof result === 'string') return onBack(result)
      return isStep(result) ? onNext(result) : onDone(result)
    },
  )
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => (field.current ?? button.current)?.focus(), [])
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <StepInput ref={field} due={due} {...form.getInputProps('answer')} {...attributes} />
        <Button ref={button} type="submit" loading={isPending} fullWidth {...attributes}>
          {settingsTexts.askedPasswordSubmit}
        </Button>
        <Button variant="subtle" fullWidth onClick={() => onBack()} {...attributes}>
          {signInTexts.back}
        </Button>
      </Stack>
    </form>
  )
}
