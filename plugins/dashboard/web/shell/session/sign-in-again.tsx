import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Profile, profileQuery } from '../../api/account/profile.ts'
import { isStep, mayUsePassword, sessionQuery, signIn } from '../../api/account/session.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { goOn } from '../../api/client/session-end.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { FirstStepButtons } from '../../shared/sign-in/first-step-buttons.tsx'
import { ProviderButtons } from '../../shared/sign-in/provider-buttons.tsx'
import { SecondStep } from '../../shared/sign-in/second-step.tsx'
import { useFirstStep } from '../../shared/sign-in/use-first-step.ts'
import { texts } from '../../texts.ts'

/** Keeps a dialog below this one from closing on Escape. */
const noEscape = { 'data-mantine-stop-propagation': true }

/** Asks the same account to sign in again. The page below stays as it is, with everything typed there. */
export function SignInAgain({ isOver }: { readonly isOver: boolean }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  // The focus returns to where it was before the dialog opened, so the dialog must be rendered before it opens.
  const [isShown, setIsShown] = useState(false)
  useEffect(() => setIsShown(isOver), [isOver])
  return (
    <Dialog
      opened={isShown}
      onClose={() => undefined}
      title={texts.signIn.again}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      attributes={{ content: noEscape }}
    >
      <Again profile={profile} />
    </Dialog>
  )
}

function Again({ profile }: { readonly profile: Profile }) {
  const [due, setDue] = useState<StepDue>()
  const [over, setOver] = useState<string>()
  // The address may belong to another account by now, which must not see this page.
  const finish = ({ id }: Profile) => (id === profile.id ? goOn() : location.reload())
  if (!due) return <Password profile={profile} problem={over} onDone={finish} onStep={setDue} />
  return (
    <Stack>
      <Text fw={600}>{due.label}</Text>
      <SecondStep
        key={due.ticket}
        due={due}
        onDone={finish}
        onNext={setDue}
        onBack={why => {
          setDue(undefined)
          setOver(why)
        }}
        {...noEscape}
      />
    </Stack>
  )
}

interface PasswordProps {
  readonly profile: Profile
  readonly problem: string | undefined
  onDone(account: Profile): unknown
  onStep(due: StepDue): void
}

function Password({ profile, problem: before, onDone, onStep }: PasswordProps) {
  const { email } = profile
  const { data: session } = useQuery(sessionQuery)
  const hasPassword = profile.hasPassword && mayUsePassword(session, profile)
  const router = useRouter()
  const form = useForm({ initialValues: { password: '' } })
  const goOn = (result: Profile | StepDue) => (isStep(result) ? onStep(result) : onDone(result))
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ password }) => signIn({ email, password }),
    goOn,
  )
  const first = useFirstStep([], goOn)
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{texts.signIn.endedHere}</Text>
        <FormProblem problem={problem ?? first.problem ?? before} />
        <TextInput
          label={texts.signIn.email}
          autoComplete="username"
          value={email}
          readOnly
          variant="filled"
          {...noEscape}
        />
        {hasPassword && (
          <PasswordInput
            label={texts.signIn.password}
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('password')}
            {...noEscape}
          />
        )}
        <FirstStepButtons isPending={first.isPending} onChoose={first.choose} {...noEscape} />
        <ProviderButtons next={router.latestLocation.href} {...noEscape} />
        <Group justify="space-between">
          {/* A full page load, so that nothing of this page remains. */}
          <Button
            component="a"
            href={router.buildLocation({ to: '/sign-in' }).href}
            variant="default"
            {...noEscape}
          >
            {texts.shell.signOut}
          </Button>
          {hasPassword && (
            <Button type="submit" loading={isPending} {...noEscape}>
              {texts.signIn.submit}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
