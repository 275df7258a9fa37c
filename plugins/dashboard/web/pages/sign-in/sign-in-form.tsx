import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { askForLink } from '../../api/account/one-time-links.ts'
import type { Profile } from '../../api/account/profile.ts'
import { isStep, sessionQuery, signIn } from '../../api/account/session.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { useFocusFirst } from '../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { messageOf } from '../../shared/notices/notify.ts'
import { FirstStepButtons } from '../../shared/sign-in/first-step-buttons.tsx'
import { ProviderButtons } from '../../shared/sign-in/provider-buttons.tsx'
import { useFirstStep } from '../../shared/sign-in/use-first-step.ts'
import { signInTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'

interface SignInFormProps {
  /** What went wrong before, elsewhere. */
  readonly problem: string | undefined
  readonly next: string
  onDone(): unknown
  onStep(due: StepDue): void
}

/** Signs in by password, or leads to where else one can. */
export function SignInForm({ problem: before, next, onDone, onStep }: SignInFormProps) {
  const first = useFocusFirst()
  const { data: session } = useQuery(sessionQuery)
  const form = useForm({ initialValues: { email: '', password: '' } })
  const goOn = (result: Profile | StepDue) => (isStep(result) ? onStep(result) : onDone())
  const { submit, isPending, problem } = useSubmit(form, signIn, goOn)
  const firstSteps = session?.firstSteps ?? []
  const passkey = useFirstStep(firstSteps, goOn)
  const others = session !== undefined && firstSteps.length + session.providers.length > 0 && (
    <>
      <FirstStepButtons isPending={passkey.isPending} onChoose={passkey.choose} />
      <ProviderButtons next={next} />
    </>
  )
  const byPassword = (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          ref={first}
          label={texts.signIn.email}
          type="email"
          autoComplete="username webauthn"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={texts.signIn.password}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isPending} fullWidth>
          {texts.signIn.submit}
        </Button>
      </Stack>
    </form>
  )
  const rule = session?.passwords ?? 'everybody'
  return (
    <Stack>
      <FormProblem problem={problem ?? passkey.problem ?? before} />
      {rule === 'everybody' && byPassword}
      {rule === 'everybody' && others && <Divider label={signInTexts.or} />}
      {others}
      {rule === 'admins' && <Divider label={signInTexts.adminsByPassword} />}
      {rule === 'admins' && byPassword}
      {session?.mailsLinks ? (
        <Forgotten email={form.values.email} />
      ) : (
        rule === 'everybody' && (
          <Text size="sm" c="dimmed">
            {texts.signIn.forgotten}
          </Text>
        )
      )}
      {session?.newAccountUrl && <Anchor href={session.newAccountUrl}>{signInTexts.signUp}</Anchor>}
    </Stack>
  )
}

/** Mails a link to the address that was typed. Whether there is such an account is not told. */
function Forgotten({ email }: { readonly email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: askForLink,
    meta: { showsProblem: true },
  })
  if (isSuccess) return <Text role="status">{signInTexts.linkMailed}</Text>
  return (
    <Stack gap="xs">
      <FormProblem problem={error ? messageOf(error) : undefined} />
      <Button
        variant="subtle"
        loading={isPending}
        disabled={email === ''}
        onClick={() => mutate(email)}
      >
        {signInTexts.mailLink}
      </Button>
    </Stack>
  )
}
