import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type Profile, profileKey, readProfile, updateProfile } from '../../api/account/profile.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useVersion } from '../../shared/forms/use-version.ts'
import { Versioned } from '../../shared/forms/versioned.tsx'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { settingsTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'
import { Section } from './section.tsx'

/** The name and the email address of the account. */
export function ProfileSection() {
  const current = useVersion(profileKey, readProfile)
  return (
    <Section heading={settingsTexts.profile} lead={settingsTexts.profileLead}>
      <Versioned of={current} height={190}>
        {profile => (
          <ProfileForm
            profile={profile}
            send={body => current.save(etag => updateProfile(body, etag))}
          />
        )}
      </Versioned>
    </Section>
  )
}

interface ProfileFormProps {
  readonly profile: Profile
  send(body: { readonly fullName: string }): Promise<void>
}

function ProfileForm({ profile, send }: ProfileFormProps) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { fullName: profile.fullName ?? '' } })
  const { submit, isPending, problem } = useSubmit(form, send, async () => {
    notifyDone(texts.common.saved)
    await queryClient.invalidateQueries({ queryKey: profileKey })
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label={settingsTexts.fullName}
          autoComplete="name"
          maxLength={100}
          required
          {...form.getInputProps('fullName')}
        />
        <TextInput
          label={settingsTexts.email}
          description={settingsTexts.emailHint}
          value={profile.email}
          readOnly
          variant="filled"
        />
        <div>
          <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
            {texts.common.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
