import { useInfiniteQuery } from '@tanstack/react-query'
import { type Account, accountsQuery } from '../../../api/admin-accounts.ts'
import { AddButton } from '../../../shared/add-button.tsx'
import { LongList } from '../../../shared/long-list.tsx'
import { Page } from '../../../shared/page.tsx'
import { useDialog } from '../../../shared/use-dialog.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { AccountDialog } from './account-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** Who can sign in: to make, move to another plan, make admin and delete. */
export function AccountsPage() {
  const accounts = useInfiniteQuery(accountsQuery)
  const editing = useDialog<Account>()
  const deleting = useDialog<Account>()
  return (
    <Page
      title={adminTexts.pages.accounts}
      lead={adminTexts.accounts.lead}
      actions={<AddButton label={adminTexts.accounts.create} onClick={() => editing.open()} />}
    >
      <LongList of={accounts} heading={adminTexts.accounts.list}>
        {account => (
          <AccountRow
            key={account.id}
            account={account}
            onEdit={() => editing.open(account)}
            onDelete={() => deleting.open(account)}
          />
        )}
      </LongList>
      <AccountDialog account={editing.subject} isOpen={editing.isOpen} onClose={editing.close} />
      <DeleteAccountDialog
        account={deleting.subject}
        isOpen={deleting.isOpen}
        onClose={deleting.close}
      />
    </Page>
  )
}
