import { Skeleton } from '@mantine/core'
import {
  type Account,
  accountsKey,
  createAccount,
  readAccount,
  updateAccount,
} from '../../../api/admin-accounts.ts'
import { Dialog } from '../../../shared/dialog.tsx'
import { notifyDone } from '../../../shared/notify.ts'
import { StaleNote } from '../../../shared/stale-note.tsx'
import { useVersion } from '../../../shared/use-version.ts'
import { texts } from '../../../texts.ts'
import { AccountForm } from './account-form.tsx'

export interface AccountDialogProps {
  /** What is edited; undefined for a new one. */
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Make an account, or change one. */
export function AccountDialog({ account, isOpen, onClose }: AccountDialogProps) {
  const { create, edit } = texts.admin.accounts
  return (
    <Dialog opened={isOpen} onClose={onClose} title={account ? edit : create}>
      {account ? <EditAccount id={account.id} onDone={onClose} /> : <AddAccount onDone={onClose} />}
    </Dialog>
  )
}

function AddAccount({ onDone }: { onDone(): void }) {
  return (
    <AccountForm
      submitLabel={texts.admin.accounts.submit}
      send={createAccount}
      onDone={({ email }) => {
        notifyDone(texts.admin.accounts.made(email))
        onDone()
      }}
    />
  )
}

function EditAccount({ id, onDone }: { readonly id: string; onDone(): void }) {
  const { version, isStale, save } = useVersion([...accountsKey, id], () => readAccount(id))
  if (!version) return <Skeleton height={320} />
  return (
    <>
      <StaleNote isShown={isStale} />
      <AccountForm
        key={version.etag}
        account={version.data}
        submitLabel={texts.common.save}
        send={({ email: _, password, ...change }) =>
          save(etag => updateAccount(id, { ...change, ...(password && { password }) }, etag))
        }
        onDone={() => {
          notifyDone(texts.common.saved)
          onDone()
        }}
      />
    </>
  )
}
