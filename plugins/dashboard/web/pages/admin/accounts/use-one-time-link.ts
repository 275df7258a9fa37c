import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type MadeLink,
  makeOneTimeLink,
  revokeOneTimeLink,
  urlOf,
} from '../../../api/account/one-time-links.ts'
import { sessionQuery } from '../../../api/account/session.ts'
import { type Account, accountsKey } from '../../../api/admin/accounts.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { oneTimeLinkTexts } from '../../../texts/one-time-link.ts'

/** The dialog for the one-time link of an account: creates it, shows it only once, and revokes it. */
export function useOneTimeLink() {
  const refresh = useRefresh()
  const mailsLinks = useQuery(sessionQuery).data?.mailsLinks ?? false
  const { subject, isOpen, open, close } = useDialog<Account>()
  const [invitation, setInvitation] = useState<MadeLink>()
  const making = useMutation({
    mutationFn: makeOneTimeLink,
    meta: { showsProblem: true },
    onSettled: () => refresh(accountsKey),
  })
  const revoking = useMutation({
    mutationFn: revokeOneTimeLink,
    meta: { showsProblem: true },
    onSuccess() {
      notifyDone(oneTimeLinkTexts.revoked)
      close()
    },
    onSettled: () => refresh(accountsKey),
  })

  const openFor = (account: Account, made?: MadeLink) => {
    making.reset()
    revoking.reset()
    setInvitation(made)
    open(account)
  }

  return {
    account: subject,
    isOpen,
    made: making.data ?? invitation,
    making,
    revoking,
    mailsLinks,
    close,
    open: (account: Account) => openFor(account),
    /** For an account that was just created, with its invitation. */
    invite(account: Account, secret: string) {
      const { expiresAt = '' } = account.oneTimeLink ?? {}
      openFor(account, { url: urlOf(secret), expiresAt, isMailed: false, mailProblem: null })
    },
  }
}
