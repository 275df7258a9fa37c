import { Button, Group, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { Asking } from '../../api/client/asked-password.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { PresentPassword } from '../../shared/forms/present-password.tsx'
import { settingsTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'

/** Keeps a dialog below this one from closing on Escape. */
const noEscape = { 'data-mantine-stop-propagation': true }

/** Asks for the current password. The page below stays as it is, with everything typed there. */
export function PasswordDialog({ asking }: { readonly asking: Asking | undefined }) {
  // The focus returns to where it was before the dialog opened, so the dialog must be rendered before it opens.
  const [isShown, setIsShown] = useState(false)
  useEffect(() => setIsShown(asking !== undefined), [asking])
  const [last, setLast] = useState(asking)
  if (asking && asking !== last) setLast(asking)
  return (
    <Dialog
      opened={isShown}
      onClose={() => last?.cancel()}
      title={settingsTexts.askedPassword}
      closeOnEscape={false}
      // A second header would be a second banner where it lies above another dialog.
      attributes={{ content: noEscape, header: { role: 'none' } }}
      onKeyDown={({ key }) => key === 'Escape' && last?.cancel()}
    >
      {last && <PasswordForm asking={last} />}
    </Dialog>
  )
}

function PasswordForm({ asking }: { readonly asking: Asking }) {
  const [password, setPassword] = useState('')
  // The request that was answered; after a wrong password another one asks.
  const [sent, setSent] = useState<Asking>()
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(asking)
    asking.answer(password)
  }
  const isPending = sent === asking
  return (
    <form onSubmit={send}>
      <Stack>
        <Text size="sm">{settingsTexts.askedPasswordLead}</Text>
        <PresentPassword
          data-autofocus
          value={password}
          error={asking.isWrong && !isPending && settingsTexts.wrongPassword}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          {...noEscape}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={asking.cancel} {...noEscape}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={isPending} {...noEscape}>
            {settingsTexts.askedPasswordSubmit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
