import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Profile, profileQuery } from '../../api/account/profile.ts'
import { signIn } from '../../api/account/session.ts'
import { goOn } from '../../api/client/session-end.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { texts } from '../../texts.ts'

/** Keeps a dialog below this one from closing on Escape. */
const noEscape = { 'data-mantine-stop-propagation': true }

/** Asks for the password of the same account again. The page below stays as it is, with everything typed there. */
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

function Again({ profile: { id, email } }: { readonly profile: Profile }) {
  const router = useRouter()
  const form = useForm({ initialValues: { password: '' } })
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ password }) => signIn({ email, password }),
    // The address may belong to another account by now, which must not see this page.
    account => (account.id === id ? goOn() : location.reload()),
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{texts.signIn.endedHere}</Text>
        <FormProblem problem={problem} />
        <TextInput
          label={texts.signIn.email}
          autoComplete="username"
          value={email}
          readOnly
          variant="filled"
          {...noEscape}
        />
        <PasswordInput
          label={texts.signIn.password}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
          {...noEscape}
        />
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
          <Button type="submit" loading={isPending} {...noEscape}>
            {texts.signIn.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
