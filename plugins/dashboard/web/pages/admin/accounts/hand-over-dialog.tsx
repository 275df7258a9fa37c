import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Account, accountsKey, handOver } from '../../../api/admin/accounts.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { AccountChoice } from './account-choice.tsx'

export interface HandOverDialogProps {
  readonly account: Account | undefined
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.accounts

/** Gives links of an account to another: those that are named, or all with what belongs to them. */
export function HandOverDialog({ account, isOpen, onClose }: HandOverDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={words.handOverHeading(account?.email ?? '')}>
      {account && <HandOverForm account={account} onDone={onClose} />}
    </Dialog>
  )
}

function HandOverForm({ account, onDone }: { readonly account: Account; onDone(): void }) {
  const refresh = useRefresh()
  const form = useForm({ initialValues: { to: null as string | null, links: '' } })
  const sending = useSubmit(
    form,
    ({ to, links }) => handOver(account.id, to ?? '', links.split(/\s+/).filter(Boolean)),
    async given => {
      notifyDone(words.handedOver(words.links(given, formatNumber(given))))
      onDone()
      await refresh(accountsKey)
    },
  )
  // The server says which of them it is, as `links[2]`.
  const wrong = Object.entries(form.errors).find(([name]) => name.startsWith('links'))?.[1]
  return (
    <DialogForm {...sending} submitLabel={words.handOver}>
      <Text size="sm">{words.handOverLead}</Text>
      <AccountChoice label={words.handOverTo} except={account.id} {...form.getInputProps('to')} />
      <Textarea
        label={words.handOverLinks}
        description={words.handOverLinksHint}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('links')}
        error={wrong}
      />
    </DialogForm>
  )
}
