import { PasswordInput, type PasswordInputProps, TextInput, VisuallyHidden } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { settingsTexts } from '../../texts/settings.ts'

/** Asks who is signed in for their password; nothing for an account that has none. */
export function PresentPassword(props: PasswordInputProps) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  return (
    <>
      <VisuallyHidden>
        {/* Password managers ask whose password it is. */}
        <TextInput
          aria-label={settingsTexts.email}
          autoComplete="username"
          value={profile.email}
          readOnly
          tabIndex={-1}
        />
      </VisuallyHidden>
      {profile.hasPassword && (
        <PasswordInput
          label={settingsTexts.currentPassword}
          autoComplete="current-password"
          required
          {...props}
        />
      )}
    </>
  )
}
