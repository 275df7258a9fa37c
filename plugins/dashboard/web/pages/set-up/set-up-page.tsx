import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { setUp } from '../../api/account/session.ts'
import { useFocusFirst } from '../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { Door } from '../../shell/brand/door.tsx'
import { texts } from '../../texts.ts'

/** The first run: with the code from the log, somebody becomes the first admin and creates the first link. */
export function SetUpPage() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const first = useFocusFirst()
  const code = useLocation({ select: ({ hash }) => hash })
  const form = useForm({ initialValues: { code, full_name: '', email: '', password: '' } })
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ full_name, ...admin }) => setUp({ ...admin, full_name: full_name.trim() || null }),
    () => {
      queryClient.clear()
      return navigate({ to: '/links', replace: true })
    },
  )

  return (
    <Door title={texts.setUp.title} heading={texts.setUp.heading} lead={texts.setUp.lead}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput
            {...(!code && { ref: first })}
            label={texts.setUp.code}
            description={texts.setUp.codeHint}
            autoComplete="one-time-code"
            spellCheck={false}
            required
            {...form.getInputProps('code')}
          />
          <TextInput
            {...(code && { ref: first })}
            label={texts.setUp.fullName}
            autoComplete="name"
            {...form.getInputProps('full_name')}
          />
          <TextInput
            label={texts.setUp.email}
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={texts.setUp.password}
            description={texts.setUp.passwordHint}
            autoComplete="new-password"
            minLength={12}
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={isPending} fullWidth>
            {texts.setUp.submit}
          </Button>
        </Stack>
      </form>
    </Door>
  )
}
