import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

/** A plan as it is set, whatever is installed. */
export type Plan =
  operations['plans.list']['responses'][200]['content']['application/json']['data'][number]

export type NewPlan = BodyOf<operations['plans.create']>

export type PlanChange = BodyOf<operations['plans.update']>

export const plansKey = ['admin', 'plans'] as const

/** The plans, those that come with Linnet first; there are never more than a page holds. */
export const plansQuery = queryOptions({
  queryKey: plansKey,
  queryFn: async () => {
    const params = { query: { per_page: 100 } }
    return (await dataOf(api.GET('/api/v1/admin/plans', { params }))).data
  },
})

/** One plan, with what a change of it sends along. */
export function readPlan(slug: string): Promise<Version<Plan>> {
  return readVersion(api.GET('/api/v1/admin/plans/{slug}', { params: { path: { slug } } }))
}

export async function createPlan(body: NewPlan): Promise<Plan> {
  return (await dataOf(api.POST('/api/v1/admin/plans', { body }))).data
}

/** Change a plan for all its accounts, at once; as it was when `etag` was read, else a `Problem` of 412. */
export async function updatePlan(slug: string, body: PlanChange, etag: string): Promise<Plan> {
  const params = { path: { slug }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/admin/plans/{slug}', { body, params }))).data
}

/** Put all accounts of a plan on another. */
export async function moveAccounts(slug: string, to: string): Promise<number> {
  const params = { path: { slug } }
  const call = api.POST('/api/v1/admin/plans/{slug}/move-accounts', { body: { to }, params })
  return (await dataOf(call)).data.moved
}

/** Delete a retired plan that no account is on. */
export async function removePlan(slug: string): Promise<void> {
  await api.DELETE('/api/v1/admin/plans/{slug}', { params: { path: { slug } } })
}
