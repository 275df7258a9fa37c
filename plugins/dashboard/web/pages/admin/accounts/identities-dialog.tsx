import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Account, identitiesOfQuery, removeIdentityOf } from '../../../api/admin/accounts.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import things from '../../../shared/lists/things.module.css'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatAgo, formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { settingsTexts } from '../../../texts/settings.ts'

interface IdentitiesDialogProps {
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** The providers that sign an account in, with buttons to remove them. */
export function IdentitiesDialog({ account, isOpen, onClose }: IdentitiesDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={adminTexts.accounts.identitiesHeading(account?.email ?? '')}
    >
      {account && <Identities id={account.id} />}
    </Dialog>
  )
}

function Identities({ id }: { readonly id: string }) {
  const { data, error: unread } = useQuery(identitiesOfQuery(id))
  const refresh = useRefresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (identity: string) => removeIdentityOf(id, identity),
    meta: { showsProblem: true },
    onSuccess: () => notifyDone(adminTexts.accounts.identityRemoved),
    onSettled: () => refresh(identitiesOfQuery(id).queryKey),
  })
  const problem = error ?? unread
  return (
    <Stack>
      <FormProblem problem={problem && messageOf(problem)} />
      {!data && !problem && <Skeleton height={60} />}
      {data?.length === 0 && <Text size="sm">{adminTexts.accounts.noIdentities}</Text>}
      {data && data.length > 0 && (
        <ul className={things.list}>
          {data.map(({ id: identity, issuer, createdAt, lastUsedAt }) => (
            <li key={identity}>
              <div className={things.what}>
                <div className={things.name}>{issuer}</div>
                <div className={things.about}>
                  {settingsTexts.identityWhen(formatMoment(createdAt), formatAgo(lastUsedAt))}
                </div>
              </div>
              <Button
                variant="default"
                size="xs"
                disabled={isPending}
                aria-label={settingsTexts.removeIdentityOf(issuer)}
                onClick={() => mutate(identity)}
              >
                {settingsTexts.removeIdentity}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
