import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { signIn } from '../../api/account/session.ts'
import { useFocusFirst } from '../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { Door } from '../../shell/brand/door.tsx'
import { texts } from '../../texts.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const first = useFocusFirst()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const { submit, isPending, problem } = useSubmit(form, signIn, () => {
    queryClient.clear()
    return router.navigate({ href: next ?? '/links', replace: true })
  })

  return (
    <Door title={texts.signIn.title} heading={texts.signIn.heading}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput
            ref={first}
            label={texts.signIn.email}
            type="email"
            autoComplete="username"
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
          <Text size="sm" c="dimmed">
            {texts.signIn.forgotten}
          </Text>
        </Stack>
      </form>
    </Door>
  )
}
