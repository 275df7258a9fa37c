import { SimpleGrid, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../../api/admin/plans.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { AddButton } from '../../../shared/lists/add-button.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { NewPlanDialog } from './new-plan-dialog.tsx'
import { PlanCard } from './plan-card.tsx'

const outlines = [1, 2, 3, 4]

/** The plans of this instance, and the button to create another. */
export function PlansPage() {
  const { data: plans, error } = useQuery(plansQuery)
  const making = useDialog()
  if (error && !plans) throw error
  return (
    <Page
      title={adminTexts.pages.plans}
      lead={adminTexts.plans.lead}
      actions={<AddButton label={adminTexts.plans.create} onClick={() => making.open()} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {plans
          ? plans.map(plan => <PlanCard key={plan.slug} plan={plan} />)
          : outlines.map(outline => <Skeleton key={outline} height={230} />)}
      </SimpleGrid>
      <NewPlanDialog isOpen={making.isOpen} onClose={making.close} />
    </Page>
  )
}
