import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, accountsKey, removeAccount } from '../../../api/admin/accounts.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { AccountChoice } from './account-choice.tsx'

export interface DeleteAccountDialogProps {
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Deletes an account once its email address is typed: what it does not hand over cannot be restored. */
export function DeleteAccountDialog({ account, isOpen, onClose }: DeleteAccountDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={adminTexts.accounts.deleteHeading(account?.email ?? '')}
    >
      {account && <Confirm account={account} onDone={onClose} />}
    </Dialog>
  )
}

function Confirm({ account, onDone }: { readonly account: Account; onDone(): void }) {
  const { id, email } = account
  const [typed, setTyped] = useState('')
  const [heir, setHeir] = useState<string | null>(null)
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeAccount(id, heir),
    meta: { showsProblem: true },
    async onSuccess() {
      notifyDone(adminTexts.accounts.deleted(email))
      onDone()
      await queryClient.invalidateQueries({ queryKey: accountsKey })
    },
  })
  const isMeant = typed.trim().toLowerCase() === email

  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (isMeant) mutate()
      }}
    >
      <Stack>
        <FormProblem problem={error && messageOf(error)} />
        <AccountChoice
          label={adminTexts.accounts.deleteHeir}
          description={adminTexts.accounts.deleteHeirHint}
          except={id}
          value={heir}
          onChange={setHeir}
        />
        <Text size="sm">
          {heir === null ? adminTexts.accounts.deleteWarning : adminTexts.accounts.deleteKeepsLinks}
        </Text>
        <TextInput
          data-autofocus
          label={adminTexts.accounts.deleteConfirm(email)}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" color="red.9" disabled={!isMeant} loading={isPending}>
          {adminTexts.accounts.delete}
        </Button>
      </Stack>
    </form>
  )
}
