import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Account,
  accountsKey,
  releaseAccount,
  suspendAccount,
} from '../../../api/admin/accounts.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf, notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { texts } from '../../../texts.ts'

export interface SuspendDialogProps {
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.accounts

/** Suspends an account, with or without its links, and releases one that is suspended. */
export function SuspendDialog({ account, isOpen, onClose }: SuspendDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={words.suspendHeading(account?.email ?? '')}>
      {account && <Suspension account={account} onDone={onClose} />}
    </Dialog>
  )
}

function Suspension({ account, onDone }: { readonly account: Account; onDone(): void }) {
  const { id, email, suspendedAt } = account
  const [linksClosed, setLinksClosed] = useState(account.linksClosed)
  const refresh = useRefresh()
  const done = (text: string) => async () => {
    notifyDone(text)
    onDone()
    await refresh(accountsKey)
  }
  const suspending = useMutation({
    mutationFn: () => suspendAccount(id, linksClosed),
    meta: { showsProblem: true },
    onSuccess: done(words.suspended(email)),
  })
  const releasing = useMutation({
    mutationFn: () => releaseAccount(id),
    meta: { showsProblem: true },
    onSuccess: done(words.released(email)),
  })
  const error = suspending.error ?? releasing.error
  return (
    <Stack>
      <FormProblem problem={error && messageOf(error)} />
      <Text size="sm">
        {suspendedAt ? words.suspendedSince(formatMoment(suspendedAt)) : words.suspendLead}
      </Text>
      <Switch
        label={words.closeLinks}
        description={words.closeLinksHint}
        checked={linksClosed}
        onChange={({ currentTarget }) => setLinksClosed(currentTarget.checked)}
      />
      <Group justify="flex-end">
        {suspendedAt && (
          <Button
            variant="default"
            loading={releasing.isPending}
            onClick={() => releasing.mutate()}
          >
            {words.release}
          </Button>
        )}
        <Button
          data-autofocus
          {...(!suspendedAt && { color: 'red.9' })}
          loading={suspending.isPending}
          disabled={suspendedAt !== null && linksClosed === account.linksClosed}
          onClick={() => suspending.mutate()}
        >
          {suspendedAt ? texts.common.save : words.suspend}
        </Button>
      </Group>
    </Stack>
  )
}
