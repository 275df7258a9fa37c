import { SimpleGrid, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../../api/admin-plans.ts'
import { Page } from '../../../shared/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { PlanCard } from './plan-card.tsx'

const outlines = [1, 2, 3, 4]

/** What there is to have. */
export function PlansPage() {
  const { data: plans, error } = useQuery(plansQuery)
  if (error && !plans) throw error
  return (
    <Page title={adminTexts.pages.plans} lead={adminTexts.plans.lead}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {plans
          ? plans.map(plan => <PlanCard key={plan.slug} plan={plan} />)
          : outlines.map(outline => <Skeleton key={outline} height={230} />)}
      </SimpleGrid>
    </Page>
  )
}
