import { useMutation } from '@tanstack/react-query'
import { makeOneTimeLink, revokeOneTimeLink } from '../../../api/account/one-time-links.ts'
import { type Account, accountsKey } from '../../../api/admin/accounts.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { oneTimeLinkTexts } from '../../../texts/one-time-link.ts'

/** The dialog about the one-time link of an account: to make it, show it this once, and revoke it. */
export function useOneTimeLink() {
  const refresh = useRefresh()
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
    close,
    open(account: Account) {
      making.reset()
      revoking.reset()
      open(account)
    },
    /** Of an account that was made for somebody who is to choose the password. */
    invite(account: Account) {
      open(account)
      making.mutate(account.id)
    },
  }
}
