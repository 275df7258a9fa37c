import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { plansKey, plansQuery, readPlan } from '../../../api/admin/plans.ts'
import { pluginStatesQuery } from '../../../api/admin/plugins.ts'
import { isProblem } from '../../../api/client/problem.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import { useVersion } from '../../../shared/forms/use-version.ts'
import { Versioned } from '../../../shared/forms/versioned.tsx'
import { IconCopyPlus } from '../../../shared/icons/icons.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { BackLink } from '../../../shared/page/back-link.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { Nothing } from '../nothing.tsx'
import { NewPlanDialog } from './new-plan-dialog.tsx'
import { PlanAccounts } from './plan-accounts.tsx'
import { planFeatures } from './plan-features.ts'
import { PlanForm } from './plan-form.tsx'

const route = getRouteApi('/inside/admin/plans/$slug')

/** One plan: its name, limits, features, and accounts. */
export function PlanPage() {
  const { slug } = route.useParams()
  return (
    <>
      <BackLink to="/admin/plans" label={adminTexts.back.plans} />
      <OnePlan key={slug} slug={slug} />
    </>
  )
}

function OnePlan({ slug }: { readonly slug: string }) {
  const current = useVersion([...plansKey, slug], () => readPlan(slug))
  // Already in the cache when one comes from the list.
  const { data: listed } = useQuery(plansQuery)
  const plugins = useQuery(pluginStatesQuery)
  const copying = useDialog()
  if (isProblem(current.error, 404)) return <Nothing />
  if (!plugins.data && plugins.error) throw plugins.error
  const plan = current.version?.data ?? listed?.find(it => it.slug === slug)
  return (
    <Page
      title={plan?.name ?? slug}
      lead={adminTexts.plans.lead}
      actions={
        <Group gap="sm">
          {plan?.isRetired && <Mark color="gray">{adminTexts.plans.retired}</Mark>}
          <Button
            variant="default"
            leftSection={<IconCopyPlus size={18} />}
            disabled={!plan}
            onClick={() => copying.open()}
          >
            {adminTexts.plans.copy}
          </Button>
        </Group>
      }
    >
      <Stack>
        <Versioned of={current} height={600}>
          {plan =>
            plugins.data ? (
              <PlanForm
                plan={plan}
                features={planFeatures(plan, plugins.data)}
                save={current.save}
              />
            ) : (
              <Skeleton height={600} />
            )
          }
        </Versioned>
        {plan && <PlanAccounts plan={plan} />}
      </Stack>
      {plan && <NewPlanDialog original={plan} isOpen={copying.isOpen} onClose={copying.close} />}
    </Page>
  )
}
