import { SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type Plan, type PlanChange, plansKey, updatePlan } from '../../../api/admin-plans.ts'
import { manifestQuery } from '../../../api/manifest.ts'
import { profileKey } from '../../../api/profile.ts'
import { FormProblem } from '../../../shared/form-problem.tsx'
import { notifyDone } from '../../../shared/notify.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { texts } from '../../../texts.ts'
import { Panel } from '../panel.tsx'
import { planName } from '../plan-name.ts'
import { SaveBar } from '../save-bar.tsx'
import { useFocusProblem } from '../use-focus-problem.ts'
import { FeatureSwitches } from './feature-switches.tsx'
import { LimitInput } from './limit-input.tsx'
import { type LimitValues, limitProblem, limits, limitValues } from './limits.ts'
import { featureChange, type PlanFeature } from './plan-features.ts'

interface Values extends LimitValues {
  /** By name, as `link.passwordProtection`. */
  readonly features: Readonly<Record<string, boolean>>
}

export interface PlanFormProps {
  readonly plan: Plan
  readonly features: readonly PlanFeature[]
}

const words = texts.admin.plans

/** The limits and features of a plan; only what was changed is sent. */
export function PlanForm({ plan, features }: PlanFormProps) {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: {
      ...limitValues(plan),
      features: Object.fromEntries(
        features.map(({ feature, isIncluded }) => [feature, isIncluded]),
      ),
    },
    validate: {
      limits: {
        max_links_created_per_month: limitProblem,
        max_tracked_visits_per_month: limitProblem,
      },
      organization: { max_tags: limitProblem, max_campaigns: limitProblem },
    },
  })
  const element = useFocusProblem(form.errors)
  const { submit, isPending, problem } = useSubmit(
    form,
    values =>
      updatePlan(plan.slug, {
        ...limitChange(plan, values),
        ...featureChange(features, values.features),
      }),
    async () => {
      form.setInitialValues(form.getValues())
      form.resetDirty()
      notifyDone(words.saved(planName(plan.slug)))
      // Features of one's own plan show all over the dashboard.
      await Promise.all(
        [plansKey, profileKey, manifestQuery.queryKey].map(queryKey =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
  )

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack>
        <Panel heading={words.limits} lead={words.limitsLead}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            {limits.map(({ path, label }) => (
              <LimitInput key={path} label={label} {...form.getInputProps(path)} />
            ))}
          </SimpleGrid>
        </Panel>
        <Panel heading={words.features} lead={words.featuresLead}>
          <FeatureSwitches
            features={features}
            chosen={form.values.features}
            onChange={chosen => form.setFieldValue('features', chosen)}
          />
        </Panel>
        <FormProblem problem={problem} />
        <SaveBar isShown={form.isDirty()} isPending={isPending} onDiscard={form.reset} />
      </Stack>
    </form>
  )
}

/** The limits that differ. What is empty does not come here: the form says what is missing. */
function limitChange(plan: Plan, { limits, organization }: LimitValues): PlanChange {
  const before = limitValues(plan)
  return {
    limits: differing(before.limits, limits),
    organization: differing(before.organization, organization),
  }
}

function differing<Group extends object>(before: Group, after: Group) {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== Object(before)[name]),
  )
}
