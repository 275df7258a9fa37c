import { useQuery } from '@tanstack/react-query'
import { type Plan, plansQuery } from '../../api/admin/plans.ts'

/** The plans that an account can be moved to, always with its current one. */
export function usePlanChoices(current?: string): readonly PlanChoice[] {
  const { data: plans = [] } = useQuery(plansQuery)
  return plans
    .filter(({ slug, isRetired }) => !isRetired || slug === current)
    .map(({ slug, name }) => ({ value: slug, label: name }))
}

/** The name of a plan; its slug until the name is known. */
export function usePlanName(slug: string): string {
  const { data: plans } = useQuery(plansQuery)
  return plans?.find((plan: Plan) => plan.slug === slug)?.name ?? slug
}

/** As a `Select` has it. */
export interface PlanChoice {
  readonly value: string
  readonly label: string
}
