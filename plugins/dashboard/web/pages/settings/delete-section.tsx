import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteAccount, profileQuery } from '../../api/account/profile.ts'
import { isProblem, Problem } from '../../api/client/problem.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { PresentPassword } from '../../shared/forms/present-password.tsx'
import { messageOf } from '../../shared/notices/notify.ts'
import { settingsTexts } from '../../texts/settings.ts'
import { Section } from './section.tsx'

/** Deletes the account and all that it owns. */
export function DeleteSection() {
  const dialog = useDialog()
  return (
    <Section heading={settingsTexts.delete} lead={settingsTexts.deleteLead}>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => dialog.open()}>
        {settingsTexts.deleteStart}
      </Button>
      <Dialog opened={dialog.isOpen} onClose={dialog.close} title={settingsTexts.delete}>
        <DeleteForm />
      </Dialog>
    </Section>
  )
}

function DeleteForm() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useDelete()
  const wrongPassword = error instanceof Problem ? error.fields.current_password : undefined
  const isConfirmed = typed.trim().toLowerCase() === profile.email.toLowerCase()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (isConfirmed) mutate(profile.hasPassword ? password : null)
      }}
    >
      <Stack>
        {error && !wrongPassword && <Refused error={error} />}
        <Text>
          {settingsTexts.deleteLead} {settingsTexts.deleteWarning}
        </Text>
        <TextInput
          data-autofocus
          label={settingsTexts.deleteConfirm(profile.email)}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <PresentPassword
          value={password}
          error={wrongPassword}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" color="red.9" loading={isPending} disabled={!isConfirmed}>
          {settingsTexts.deleteSubmit}
        </Button>
      </Stack>
    </form>
  )
}

function Refused({ error }: { readonly error: Error }) {
  const isLastAdmin = isProblem(error, 'last_admin')
  return (
    <Alert color="linnet" variant="light" role="alert">
      {isLastAdmin ? settingsTexts.lastAdmin : messageOf(error)}{' '}
      {isLastAdmin && (
        <Anchor inherit renderRoot={props => <Link {...props} to="/admin" />}>
          {settingsTexts.lastAdminLink}
        </Anchor>
      )}
    </Alert>
  )
}

function useDelete() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: deleteAccount,
    meta: { showsProblem: true },
    async onSuccess() {
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
}
