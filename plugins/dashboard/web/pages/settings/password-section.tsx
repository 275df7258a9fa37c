import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { changePassword, profileKey, profileQuery } from '../../api/account/profile.ts'
import { sessionsQuery } from '../../api/account/sessions.ts'
import { PresentPassword } from '../../shared/forms/present-password.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { useRefresh } from '../../shared/page/use-refresh.ts'
import { settingsTexts } from '../../texts/settings.ts'
import { Section } from './section.tsx'

/** Changes the password, or sets the first one. */
export function PasswordSection() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { hasPassword } = profile
  const refresh = useRefresh()
  const form = useForm({ initialValues: { current_password: '', new_password: '' } })
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ current_password, new_password }) =>
      changePassword({
        current_password: hasPassword ? current_password : null,
        new_password,
      }),
    async () => {
      form.reset()
      notifyDone(settingsTexts.passwordChanged)
      await refresh(profileKey, sessionsQuery.queryKey)
    },
  )

  return (
    <Section
      heading={settingsTexts.password}
      lead={hasPassword ? settingsTexts.passwordLead : settingsTexts.noPasswordLead}
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <PresentPassword {...form.getInputProps('current_password')} />
          <PasswordInput
            label={settingsTexts.newPassword}
            description={settingsTexts.newPasswordHint}
            autoComplete="new-password"
            minLength={12}
            maxLength={128}
            required
            {...form.getInputProps('new_password')}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {settingsTexts.changePassword}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
