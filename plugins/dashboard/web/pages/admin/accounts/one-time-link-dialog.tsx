import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Account } from '../../../api/admin/accounts.ts'
import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { IconKey } from '../../../shared/icons/icons.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { messageOf } from '../../../shared/notices/notify.ts'
import { formatMoment } from '../../../shared/text/format.ts'
import { oneTimeLinkTexts } from '../../../texts/one-time-link.ts'
import { texts } from '../../../texts.ts'
import type { useOneTimeLink } from './use-one-time-link.ts'

type OneTimeLinkDialogProps = ReturnType<typeof useOneTimeLink>

/** Creates the link by which somebody chooses the password of their account, and shows it only this once. */
export function OneTimeLinkDialog(props: OneTimeLinkDialogProps) {
  const { account, isOpen, made, making, mailsLinks, close } = props
  const heading = account?.hasPassword
    ? oneTimeLinkTexts.renewHeading
    : oneTimeLinkTexts.inviteHeading
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      // A misplaced click must not lose what cannot be shown again.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      size="lg"
      title={heading(account?.email ?? '')}
    >
      {made ? (
        <Stack>
          <Alert
            variant="default"
            icon={<IconKey size={18} />}
            title={oneTimeLinkTexts.onceHeading(formatMoment(made.expiresAt))}
          >
            {oneTimeLinkTexts.once}
          </Alert>
          {made.isMailed && <Text size="sm">{oneTimeLinkTexts.mailed(account?.email ?? '')}</Text>}
          <FormProblem
            problem={made.mailProblem ?? (making.error ? messageOf(making.error) : undefined)}
          />
          <CodeBlock code={made.url} copyLabel={oneTimeLinkTexts.copy} />
          {account && mailsLinks && !made.isMailed && (
            <Button
              variant="default"
              loading={making.isPending}
              onClick={() => making.mutate({ id: account.id, mail: true })}
            >
              {oneTimeLinkTexts.mail}
            </Button>
          )}
          <Button onClick={close} data-autofocus>
            {texts.common.done}
          </Button>
        </Stack>
      ) : (
        account && <Unmade {...props} account={account} />
      )}
    </Dialog>
  )
}

function Unmade({
  account,
  making,
  revoking,
  mailsLinks,
}: Omit<OneTimeLinkDialogProps, 'account'> & { readonly account: Account }) {
  const { id, hasPassword, oneTimeLink } = account
  const error = making.error ?? revoking.error
  return (
    <Stack>
      <FormProblem problem={error && messageOf(error)} />
      <Text size="sm">
        {hasPassword ? oneTimeLinkTexts.renewLead : oneTimeLinkTexts.inviteLead}
      </Text>
      {oneTimeLink && (
        <Text size="sm">{oneTimeLinkTexts.waiting(formatMoment(oneTimeLink.expiresAt))}</Text>
      )}
      <Group justify="flex-end">
        {oneTimeLink && (
          <Button
            variant="default"
            loading={revoking.isPending}
            onClick={() => revoking.mutate(id)}
          >
            {oneTimeLinkTexts.revoke}
          </Button>
        )}
        <Button
          variant={mailsLinks ? 'default' : 'filled'}
          data-autofocus={mailsLinks ? undefined : true}
          loading={making.isPending}
          onClick={() => making.mutate({ id, mail: false })}
        >
          {oneTimeLink ? oneTimeLinkTexts.makeAgain : oneTimeLinkTexts.make}
        </Button>
        {mailsLinks && (
          <Button
            data-autofocus
            loading={making.isPending}
            onClick={() => making.mutate({ id, mail: true })}
          >
            {oneTimeLinkTexts.mail}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
