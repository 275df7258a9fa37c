import { PasswordInput, type PasswordInputProps, TextInput, VisuallyHidden } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { sessionQuery } from '../../api/account/session.ts'
import { settingsTexts } from '../../texts/settings.ts'

/** Asks for the password of the signed-in account; renders nothing if it is not asked for. */
export function PresentPassword(props: PasswordInputProps) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: session } = useQuery(sessionQuery)
  return (
    <>
      <VisuallyHidden>
        {/* Password managers need to know whose password it is. */}
        <TextInput
          aria-label={settingsTexts.email}
          autoComplete="username"
          value={profile.email}
          readOnly
          tabIndex={-1}
        />
      </VisuallyHidden>
      {session?.asksPassword && (
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
