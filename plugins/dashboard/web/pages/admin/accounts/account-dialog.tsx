import {
  type Account,
  accountsKey,
  createAccount,
  readAccount,
  updateAccount,
} from '../../../api/admin/accounts.ts'
import { EditDialog } from '../../../shared/forms/edit-dialog.tsx'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { texts } from '../../../texts.ts'
import { AccountForm } from './account-form.tsx'

export interface AccountDialogProps {
  /** What is edited; undefined for a new one. */
  readonly account: Account | undefined
  readonly isOpen: boolean
  /** Called with a new account whose owner will choose the password, and the secret of the invitation. */
  onInvite(account: Account, secret: string): void
  onClose(): void
}

/** Creates an account, or changes one. */
export function AccountDialog({ account, isOpen, onInvite, onClose }: AccountDialogProps) {
  const { create, edit, submit, made } = adminTexts.accounts
  return (
    <EditDialog
      opened={isOpen}
      onClose={onClose}
      title={account ? edit : create}
      subject={account}
      kind={accountsKey}
      read={readAccount}
      height={320}
      add={
        <AccountForm
          submitLabel={submit}
          send={({ password, ...draft }) => createAccount({ ...draft, password: password || null })}
          onDone={account => {
            notifyDone(made(account.email))
            onClose()
            if (account.oneTimeLinkSecret !== null) onInvite(account, account.oneTimeLinkSecret)
          }}
        />
      }
    >
      {(current, save) => (
        <AccountForm
          account={current}
          submitLabel={texts.common.save}
          send={({ full_name, plan, password, is_admin }) => {
            // Sent only if it changes: these two ask for the password of the admin.
            const more = {
              ...(password && { password }),
              ...(is_admin !== current.isAdmin && { is_admin }),
            }
            return save(etag => updateAccount(current.id, { full_name, plan, ...more }, etag))
          }}
          onDone={() => {
            notifyDone(texts.common.saved)
            onClose()
          }}
        />
      )}
    </EditDialog>
  )
}
