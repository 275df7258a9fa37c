import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Profile } from '../../api/account/profile.ts'
import { answerStep, chooseStep, isStep } from '../../api/account/session.ts'
import { isProblem } from '../../api/client/problem.ts'
import type { OtherStep, StepDue } from '../../api/client/second-step.ts'
import { settingsTexts, signInTexts } from '../../texts/settings.ts'
import { useSubmit } from '../forms/use-submit.ts'
import { FormProblem } from '../notices/form-problem.tsx'
import { messageOf } from '../notices/notify.ts'
import { answerTo } from './answer-to.ts'
import { OtherSteps } from './other-steps.tsx'
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
  const goOn = (result: Profile | StepDue | string) => {
    if (typeof result === 'string') return onBack(result)
    return isStep(result) ? onNext(result) : onDone(result)
  }
  const { submit, isPending, problem } = useSubmit(
    form,
    async ({ answer: typed }) => {
      const answer = await answerTo(due, typed)
      return unlessOver(answerStep({ ticket, answer }))
    },
    goOn,
  )
  const { mutate: choose } = useMutation({
    mutationFn: (other: OtherStep) => unlessOver(chooseStep(ticket, other)),
    onSuccess: goOn,
  })
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
        <OtherSteps due={due} onChoose={choose} {...attributes} />
        <Button variant="subtle" fullWidth onClick={() => onBack()} {...attributes}>
          {signInTexts.back}
        </Button>
      </Stack>
    </form>
  )
}

/** What is answered, or why the ticket does not work any more. */
async function unlessOver(answering: Promise<Profile | StepDue>) {
  try {
    return await answering
  } catch (error) {
    if (!isProblem(error, 'invalid_ticket')) throw error
    return messageOf(error)
  }
}
