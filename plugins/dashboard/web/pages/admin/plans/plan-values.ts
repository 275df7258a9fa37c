import type { Plan, PlanChange } from '../../../api/admin/plans.ts'
import { type LimitValues, limitValues } from './limits.ts'
import { type OfferValues, offerChange, offerValues } from './offer.ts'
import { featureChange, type PlanFeature } from './plan-features.ts'

/** A plan as its form has it, by the names that a change of it has. */
export interface PlanValues extends LimitValues, OfferValues {
  readonly name: string
  /** By name, as `link.passwordProtection`. */
  readonly features: Readonly<Record<string, boolean>>
}

/** What a form begins with. */
export function planValues(plan: Plan, features: readonly PlanFeature[]): PlanValues {
  return {
    name: plan.name,
    ...limitValues(plan),
    ...offerValues(plan),
    features: Object.fromEntries(features.map(({ feature, isIncluded }) => [feature, isIncluded])),
  }
}

/** What differs. */
export function planChange(
  plan: Plan,
  features: readonly PlanFeature[],
  values: PlanValues,
): PlanChange {
  return {
    ...(values.name !== plan.name && { name: values.name }),
    ...limitChange(plan, values),
    ...offerChange(offerValues(plan), values),
    ...featureChange(features, values.features),
  }
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
