import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Account, accountsQuery } from '../../../api/admin-accounts.ts'
import { IconPlus } from '../../../shared/icons.ts'
import { MoreButton } from '../../../shared/more-button.tsx'
import { Page } from '../../../shared/page.tsx'
import { Rows } from '../../../shared/rows.tsx'
import things from '../../../shared/things.module.css'
import { useDialog } from '../../../shared/use-dialog.ts'
import { texts } from '../../../texts.ts'
import { AccountDialog } from './account-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** Who can sign in: to make, move to another plan, make admin and delete. */
export function AccountsPage() {
  const { data, error, ...paging } = useInfiniteQuery(accountsQuery)
  const editing = useDialog<Account>()
  const deleting = useDialog<Account>()
  if (error && !data) throw error

  return (
    <Page
      title={texts.admin.pages.accounts}
      lead={texts.admin.accounts.lead}
      actions={
        <Button leftSection={<IconPlus size={18} />} onClick={() => editing.open()}>
          {texts.admin.accounts.create}
        </Button>
      }
    >
      {!data ? (
        <Rows />
      ) : (
        <>
          <VisuallyHidden component="h2">{texts.admin.accounts.list}</VisuallyHidden>
          <ul className={things.list}>
            {data.items.map(account => (
              <AccountRow
                key={account.id}
                account={account}
                onEdit={() => editing.open(account)}
                onDelete={() => deleting.open(account)}
              />
            ))}
          </ul>
          <MoreButton {...paging} />
        </>
      )}
      <AccountDialog account={editing.subject} isOpen={editing.isOpen} onClose={editing.close} />
      <DeleteAccountDialog
        account={deleting.subject}
        isOpen={deleting.isOpen}
        onClose={deleting.close}
      />
    </Page>
  )
}
