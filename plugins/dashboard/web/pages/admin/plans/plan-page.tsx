import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { plansQuery } from '../../../api/admin-plans.ts'
import { pluginStatesQuery } from '../../../api/admin-plugins.ts'
import { BackLink } from '../../../shared/back-link.tsx'
import { Page } from '../../../shared/page.tsx'
import { Rows } from '../../../shared/rows.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { Nothing } from '../nothing.tsx'
import { planName } from '../plan-name.ts'
import { planFeatures } from './plan-features.ts'
import { PlanForm } from './plan-form.tsx'

const route = getRouteApi('/inside/admin/plans/$slug')

/** One plan: its limits and its features. */
export function PlanPage() {
  const { slug } = route.useParams()
  const plans = useQuery(plansQuery)
  const plugins = useQuery(pluginStatesQuery)
  const error = (!plans.data && plans.error) || (!plugins.data && plugins.error)
  if (error) throw error
  const plan = plans.data?.find(it => it.slug === slug)
  return (
    <>
      <BackLink to="/admin/plans" label={adminTexts.back.plans} />
      {plans.data && !plan ? (
        <Nothing />
      ) : (
        <Page title={planName(slug)} lead={adminTexts.plans.lead}>
          {plan && plugins.data ? (
            <PlanForm key={slug} plan={plan} features={planFeatures(plan, plugins.data)} />
          ) : (
            <Rows />
          )}
        </Page>
      )}
    </>
  )
}
