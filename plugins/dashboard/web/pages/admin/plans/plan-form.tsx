import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { profileKey } from '../../../api/account/profile.ts'
import { type Plan, plansKey, updatePlan } from '../../../api/admin/plans.ts'
import { manifestQuery } from '../../../api/instance/manifest.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { Panel } from '../panel.tsx'
import { SaveBar } from '../save-bar.tsx'
import { useFocusProblem } from '../use-focus-problem.ts'
import { FeatureSwitches } from './feature-switches.tsx'
import { LimitInput } from './limit-input.tsx'
import { limitProblem, useLimits } from './limits.ts'
import { amountProblem } from './offer.ts'
import { OfferFields } from './offer-fields.tsx'
import type { PlanFeature } from './plan-features.ts'
import { type PlanValues, planChange, planValues } from './plan-values.ts'

export interface PlanFormProps {
  readonly plan: Plan
  readonly features: readonly PlanFeature[]
  save(send: (etag: string) => Promise<Plan>): Promise<Plan>
}

const words = adminTexts.plans

/** The name, limits, features and price of a plan. Only changes are sent. */
export function PlanForm({ plan, features, save }: PlanFormProps) {
  const refresh = useRefresh()
  const form = useForm<PlanValues>({
    initialValues: planValues(plan, features),
    validate: {
      limits: Object.fromEntries(Object.keys(plan.limits).map(name => [name, limitProblem])),
      organization: { maxTags: limitProblem, maxCampaigns: limitProblem },
      recommended_pricing: {
        monthly: { amount: amountProblem },
        yearly: { amount: amountProblem },
      },
    },
  })
  const limits = useLimits(plan)
  const element = useFocusProblem(form.errors)
  const { submit, isPending, problem } = useSubmit(
    form,
    values => save(etag => updatePlan(plan.slug, planChange(plan, features, values), etag)),
    async ({ name }) => {
      form.setInitialValues(form.getValues())
      form.resetDirty()
      notifyDone(words.saved(name))
      // The features of the signed-in account's plan show all over the dashboard.
      await refresh(plansKey, profileKey, manifestQuery.queryKey)
    },
  )

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack>
        <Panel heading={words.name}>
          <TextInput
            aria-label={words.name}
            description={words.nameHint}
            maxLength={60}
            required
            {...form.getInputProps('name')}
          />
        </Panel>
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
        <Panel heading={words.offer} lead={words.offerLead}>
          <OfferFields form={form} />
        </Panel>
        <FormProblem problem={problem} />
        <SaveBar isShown={form.isDirty()} isPending={isPending} onDiscard={form.reset} />
      </Stack>
    </form>
  )
}
