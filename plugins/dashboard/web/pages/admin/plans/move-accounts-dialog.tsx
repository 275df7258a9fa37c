import { Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { profileKey } from '../../../api/account/profile.ts'
import { accountsKey } from '../../../api/admin/accounts.ts'
import { moveAccounts, type Plan, plansKey } from '../../../api/admin/plans.ts'
import { manifestQuery } from '../../../api/instance/manifest.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { usePlanChoices } from '../use-plan-choices.ts'

export interface MoveAccountsDialogProps {
  readonly plan: Plan
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.plans

/** Moves all accounts of a plan to another plan. */
export function MoveAccountsDialog({ plan, isOpen, onClose }: MoveAccountsDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={words.moveHeading(plan.name)}>
      <MoveForm plan={plan} onDone={onClose} />
    </Dialog>
  )
}

function MoveForm({ plan, onDone }: { readonly plan: Plan; onDone(): void }) {
  const refresh = useRefresh()
  const others = usePlanChoices().filter(({ value }) => value !== plan.slug)
  const form = useForm({ initialValues: { to: others[0]?.value ?? null } })
  const sending = useSubmit(
    form,
    ({ to }) => moveAccounts(plan.slug, to ?? ''),
    async moved => {
      const target = others.find(({ value }) => value === form.getValues().to)
      notifyDone(words.moved(words.accounts(moved, formatNumber(moved)), target?.label ?? ''))
      onDone()
      // The account that is signed in may be among them.
      await refresh(plansKey, accountsKey, profileKey, manifestQuery.queryKey)
    },
  )

  return (
    <DialogForm {...sending} submitLabel={words.moveAccounts}>
      <Text size="sm">{words.moveLead}</Text>
      <Select
        label={words.moveTo}
        data={others}
        allowDeselect={false}
        {...form.getInputProps('to')}
      />
    </DialogForm>
  )
}
