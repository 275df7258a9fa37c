import type { Plan, PlanChange } from '../../../api/admin/plans.ts'
import { type LimitValues, limitValues } from './limits.ts'
import { type OfferValues, offerChange, offerValues } from './offer.ts'
import { featureChange, type PlanFeature } from './plan-features.ts'

/** A plan as its form holds it, with the field names of a change. */
export interface PlanValues extends LimitValues, OfferValues {
  readonly name: string
  /** By name, such as `link.passwordProtection`. */
  readonly features: Readonly<Record<string, boolean>>
}

/** The initial values of the form. */
export function planValues(plan: Plan, features: readonly PlanFeature[]): PlanValues {
  return {
    name: plan.name,
    ...limitValues(plan),
    ...offerValues(plan),
    features: Object.fromEntries(features.map(({ feature, isIncluded }) => [feature, isIncluded])),
  }
}

/** The parts that differ. */
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

/** The limits that differ. They are never empty here: the form reports missing ones first. */
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
