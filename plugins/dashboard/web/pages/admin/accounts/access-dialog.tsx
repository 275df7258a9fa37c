import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Account,
  accessOfQuery,
  endSessionOf,
  revokeTokenOf,
} from '../../../api/admin/accounts.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import things from '../../../shared/lists/things.module.css'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatAgo, formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { settingsTexts } from '../../../texts/settings.ts'

interface AccessDialogProps {
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.accounts

/** The sessions and API tokens of an account, with buttons to end them. */
export function AccessDialog({ account, isOpen, onClose }: AccessDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={words.accessHeading(account?.email ?? '')}
    >
      {account && <Access id={account.id} />}
    </Dialog>
  )
}

interface Ended {
  readonly id: string
  readonly of: 'session' | 'token'
}

function Access({ id }: { readonly id: string }) {
  const { data, error: unread } = useQuery(accessOfQuery(id))
  const refresh = useRefresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (it: Ended) =>
      it.of === 'session' ? endSessionOf(id, it.id) : revokeTokenOf(id, it.id),
    meta: { showsProblem: true },
    onSuccess: () => notifyDone(words.accessEnded),
    onSettled: () => refresh(accessOfQuery(id).queryKey),
  })
  const problem = error ?? unread
  if (!data)
    return problem ? <FormProblem problem={messageOf(problem)} /> : <Skeleton height={60} />
  const row = (what: string, when: string, ended: Ended) => (
    <li key={ended.id}>
      <div className={things.what}>
        <div className={things.name}>{what}</div>
        <div className={things.about}>{when}</div>
      </div>
      <Button
        variant="default"
        size="xs"
        disabled={isPending}
        aria-label={words.endAccessOf(what, when)}
        onClick={() => mutate(ended)}
      >
        {settingsTexts.end}
      </Button>
    </li>
  )
  return (
    <Stack>
      <FormProblem problem={problem && messageOf(problem)} />
      {data.sessions.length + data.tokens.length === 0 && <Text size="sm">{words.noAccess}</Text>}
      <ul className={things.list}>
        {data.sessions.map(({ id, createdAt, lastSeenAt }) =>
          row(
            settingsTexts.session,
            `${settingsTexts.signedIn(formatMoment(createdAt))} · ${settingsTexts.lastSeen(formatAgo(lastSeenAt))}`,
            { id, of: 'session' },
          ),
        )}
        {data.tokens.map(({ id, name, tokenPrefix, scopes }) =>
          row(name, `${tokenPrefix}… · ${scopes.join(', ')}`, { id, of: 'token' }),
        )}
      </ul>
    </Stack>
  )
}
