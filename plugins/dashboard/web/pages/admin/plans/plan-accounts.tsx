import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Plan, plansKey, removePlan, updatePlan } from '../../../api/admin/plans.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { useDelete } from '../../../shared/lists/use-delete.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { Panel } from '../panel.tsx'
import { MoveAccountsDialog } from './move-accounts-dialog.tsx'

const words = adminTexts.plans

/** The accounts on a plan and whether new ones may join: retire it, move its accounts, delete it. */
export function PlanAccounts({ plan }: { readonly plan: Plan }) {
  const { slug, name, accounts, isRetired, isBuiltIn } = plan
  const moving = useDialog()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const retire = useMutation({
    mutationFn: (is_retired: boolean) => updatePlan(slug, { is_retired }, '*'),
    async onSuccess({ isRetired }) {
      notifyDone(isRetired ? words.wasRetired(name) : words.reopened(name))
      await refresh(plansKey)
    },
  })
  const remove = useDelete({
    title: words.deleteHeading(name),
    text: words.deleteWarning,
    confirm: words.delete,
    send: () => removePlan(slug),
    done: words.deleted(name),
    onDone: () => navigate({ to: '/admin/plans' }),
    changes: [plansKey],
  })
  const isDefault = slug === 'unlimited'
  const lead = isDefault ? words.isDefaultLead : isRetired ? words.retiredLead : words.openLead

  return (
    <Panel heading={words.accounts(accounts, formatNumber(accounts))}>
      <Text size="sm" mb="md">
        {lead}
      </Text>
      <Group gap="sm">
        {accounts > 0 && (
          <Button variant="default" onClick={() => moving.open()}>
            {words.moveAccounts}
          </Button>
        )}
        {!isDefault && (
          <Button
            variant="default"
            loading={retire.isPending}
            onClick={() => retire.mutate(!isRetired)}
          >
            {isRetired ? words.reopen : words.retire}
          </Button>
        )}
        {isRetired && !isBuiltIn && accounts === 0 && (
          <Button variant="outline" color="red" onClick={remove}>
            {words.delete}
          </Button>
        )}
      </Group>
      <MoveAccountsDialog plan={plan} isOpen={moving.isOpen} onClose={moving.close} />
    </Panel>
  )
}
