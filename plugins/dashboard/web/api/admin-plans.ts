import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf } from './client.ts'
import type { operations } from './schema.d.ts'

/** A plan as it is set, whatever is installed. */
export type Plan =
  operations['plans.list']['responses'][200]['content']['application/json']['data'][number]

export type PlanSlug = Plan['slug']

export type PlanChange = BodyOf<operations['plans.update']>

export const plansKey = ['admin', 'plans'] as const

/** The plans, from the smallest to the largest. */
export const plansQuery = queryOptions({
  queryKey: plansKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/plans'))).data,
})

/** Change a plan for all its accounts, at once. */
export async function updatePlan(slug: PlanSlug, body: PlanChange): Promise<Plan> {
  const params = { path: { slug } }
  return (await dataOf(api.PATCH('/api/v1/admin/plans/{slug}', { body, params }))).data
}
