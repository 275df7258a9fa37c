import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { sessionQuery } from '../../api/account/session.ts'
import type { Asking, Question } from '../../api/client/asked-proof.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { PresentPassword } from '../../shared/forms/present-password.tsx'
import { notifyProblem } from '../../shared/notices/notify.ts'
import { answerTo } from '../../shared/sign-in/answer-to.ts'
import { FirstStepButtons } from '../../shared/sign-in/first-step-buttons.tsx'
import { OtherSteps } from '../../shared/sign-in/other-steps.tsx'
import { ProviderButtons } from '../../shared/sign-in/provider-buttons.tsx'
import { StepInput } from '../../shared/sign-in/step-input.tsx'
import { settingsTexts, signInTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'

/** Keeps a dialog below this one from closing on Escape. */
const noEscape = { 'data-mantine-stop-propagation': true }

/** Asks who is at the browser. The page below stays as it is, with everything typed there. */
export function ProofDialog({ asking }: { readonly asking: Asking | undefined }) {
  // The focus returns to where it was before the dialog opened, so the dialog must be rendered before it opens.
  const [isShown, setIsShown] = useState(false)
  useEffect(() => setIsShown(asking !== undefined), [asking])
  const [last, setLast] = useState(asking)
  if (asking && asking !== last) setLast(asking)
  return (
    <Dialog
      opened={isShown}
      onClose={() => last?.cancel()}
      title={last && titleOf(last.question)}
      closeOnEscape={false}
      // A second header would be a second banner where it lies above another dialog.
      attributes={{ content: noEscape, header: { role: 'none' } }}
      onKeyDown={({ key }) => key === 'Escape' && last?.cancel()}
    >
      {last && <Asked asking={last} />}
    </Dialog>
  )
}

function titleOf(question: Question): string {
  if (question.kind === 'step') return question.due.label
  return question.kind === 'password' ? settingsTexts.askedPassword : signInTexts.proveHeading
}

function Asked({ asking }: { readonly asking: Asking }) {
  const { question } = asking
  if (question.kind === 'password') return <PasswordForm asking={asking} {...question} />
  // Each question begins with an empty field.
  if (question.kind === 'step')
    return <StepForm key={question.due.ticket} asking={asking} {...question} />
  return <OtherWays asking={asking} />
}

type Of<Kind extends Question['kind']> = Extract<Question, { readonly kind: Kind }> & {
  readonly asking: Asking
}

function PasswordForm({ asking, isWrong }: Of<'password'>) {
  const [password, setPassword] = useState('')
  return (
    <AskingForm asking={asking} answer={password}>
      {isPending => (
        <>
          <Text size="sm">{settingsTexts.askedPasswordLead}</Text>
          <PresentPassword
            data-autofocus
            value={password}
            error={isWrong && !isPending && settingsTexts.wrongPassword}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            {...noEscape}
          />
        </>
      )}
    </AskingForm>
  )
}

function StepForm({ asking, due, problem }: Of<'step'>) {
  const [answer, setAnswer] = useState('')
  return (
    <AskingForm
      asking={asking}
      answer={due.kind === 'confirm' ? 'yes' : answer}
      prepare={typed => answerTo(due, typed)}
    >
      {isPending => (
        <>
          <StepInput
            due={due}
            value={answer}
            error={!isPending && problem}
            onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
            {...noEscape}
          />
          <OtherSteps due={due} onChoose={asking.choose} {...noEscape} />
        </>
      )}
    </AskingForm>
  )
}

/** The input, or the button if that is the answer. */
const first = '[data-autofocus], [type=submit]'

interface AskingFormProps {
  readonly asking: Asking
  readonly answer: string
  /** Makes what is sent of what was typed. Default: as it is. */
  prepare?(typed: string): Promise<string>
  children(isPending: boolean): ReactNode
}

function AskingForm({ asking, answer, prepare = async typed => typed, children }: AskingFormProps) {
  // The question that was answered; after a wrong answer another one is asked.
  const [sent, setSent] = useState<Asking>()
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(asking)
    prepare(answer).then(asking.answer, error => {
      setSent(undefined)
      notifyProblem(error)
    })
  }
  const isPending = sent === asking
  // The dialog stays open from one question to the next, and takes the focus only when it opens.
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [])
  return (
    <form ref={form} onSubmit={send}>
      <Stack>
        {children(isPending)}
        <Group justify="flex-end">
          <Button variant="default" onClick={asking.cancel} {...noEscape}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={isPending} {...noEscape}>
            {settingsTexts.askedPasswordSubmit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Whoever signed in without a password proves it in the same way. */
function OtherWays({ asking: { choose, cancel } }: { readonly asking: Asking }) {
  const { href } = useRouter().latestLocation
  const { data: session } = useQuery(sessionQuery)
  const leaves = (session?.providers ?? []).length > 0
  return (
    <Stack>
      <Text size="sm">{leaves ? signInTexts.proveLead : signInTexts.proveHere}</Text>
      <FirstStepButtons onChoose={choose} {...noEscape} />
      <ProviderButtons next={href} isProof {...noEscape} />
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel} {...noEscape}>
          {texts.common.cancel}
        </Button>
      </Group>
    </Stack>
  )
}
