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

/** A dialog below this one must not take the key that would close it. */
const noEscape = { 'data-mantine-stop-propagation': true }

/** Asks who was signed in for the password. The page below stays as it is, with all that is typed there. */
export function SignInAgain({ isOver }: { readonly isOver: boolean }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  // The focus goes back to where it was before it opens, so it has to be there before.
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
    // The address may be that of another account by now: this page is not for it.
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
          {/* A page of its own: nothing of this one is left there. */}
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
