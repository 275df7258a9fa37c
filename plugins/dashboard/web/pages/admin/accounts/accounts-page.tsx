import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, accountsQuery } from '../../../api/admin/accounts.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { IconSearch } from '../../../shared/icons/icons.ts'
import { AddButton } from '../../../shared/lists/add-button.tsx'
import { LongList } from '../../../shared/lists/long-list.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { AccessDialog } from './access-dialog.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { IdentitiesDialog } from './identities-dialog.tsx'
import { OneTimeLinkDialog } from './one-time-link-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { useOneTimeLink } from './use-one-time-link.ts'

const words = adminTexts.accounts

/** How long to wait for more typing before the list is read, in milliseconds. */
const typingMs = 250

/** The accounts of this instance: find, create, invite, move to another plan, make admin, hand over, suspend and delete. */
export function AccountsPage() {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingMs)
  const accounts = useInfiniteQuery({
    ...accountsQuery(search),
    placeholderData: keepPreviousData,
  })
  const editing = useDialog<Account>()
  const oneTimeLink = useOneTimeLink()
  const identities = useDialog<Account>()
  const access = useDialog<Account>()
  const handing = useDialog<Account>()
  const suspending = useDialog<Account>()
  const deleting = useDialog<Account>()
  return (
    <Page
      title={adminTexts.pages.accounts}
      lead={words.lead}
      actions={<AddButton label={words.create} onClick={() => editing.open()} />}
    >
      <TextInput
        type="search"
        mb="md"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={17} />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <LongList
        of={accounts}
        heading={words.list}
        empty={<Text role="status">{words.noneFound}</Text>}
      >
        {account => (
          <AccountRow
            key={account.id}
            account={account}
            onEdit={() => editing.open(account)}
            onLink={() => oneTimeLink.open(account)}
            onIdentities={() => identities.open(account)}
            onAccess={() => access.open(account)}
            onHandOver={() => handing.open(account)}
            onSuspend={() => suspending.open(account)}
            onDelete={() => deleting.open(account)}
          />
        )}
      </LongList>
      <AccountDialog
        account={editing.subject}
        isOpen={editing.isOpen}
        onInvite={oneTimeLink.invite}
        onClose={editing.close}
      />
      <OneTimeLinkDialog {...oneTimeLink} />
      <AccessDialog account={access.subject} isOpen={access.isOpen} onClose={access.close} />
      <IdentitiesDialog
        account={identities.subject}
        isOpen={identities.isOpen}
        onClose={identities.close}
      />
      <HandOverDialog account={handing.subject} isOpen={handing.isOpen} onClose={handing.close} />
      <SuspendDialog
        account={suspending.subject}
        isOpen={suspending.isOpen}
        onClose={suspending.close}
      />
      <DeleteAccountDialog
        account={deleting.subject}
        isOpen={deleting.isOpen}
        onClose={deleting.close}
      />
    </Page>
  )
}
