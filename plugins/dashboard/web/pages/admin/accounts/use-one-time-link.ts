import { useMutation, useQuery } from '@tanstack/react-query'
import { makeOneTimeLink, revokeOneTimeLink } from '../../../api/account/one-time-links.ts'
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

  return {
    account: subject,
    isOpen,
    making,
    revoking,
    mailsLinks,
    close,
    open(account: Account) {
      making.reset()
      revoking.reset()
      open(account)
    },
    /** For an account that was created for somebody who will choose the password. */
    invite(account: Account) {
      open(account)
      // Where it may be mailed, people choose.
      if (!mailsLinks) making.mutate({ id: account.id, mail: false })
    },
  }
}
