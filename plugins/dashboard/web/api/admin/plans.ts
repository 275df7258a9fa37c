import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

/** A plan as it is stored, whatever plugins are installed. */
export type Plan =
  operations['plans.list']['responses'][200]['content']['application/json']['data'][number]

export type NewPlan = BodyOf<operations['plans.create']>

export type PlanChange = BodyOf<operations['plans.update']>

export const plansKey = ['admin', 'plans'] as const

/** All plans, the ones that come with Linnet first. There are never more than fit on one page. */
export const plansQuery = queryOptions({
  queryKey: plansKey,
  queryFn: async () => {
    const params = { query: { per_page: 100 } }
    return (await dataOf(api.GET('/api/v1/admin/plans', { params }))).data
  },
})

/** One plan, with the version that a change sends along. */
export function readPlan(slug: string): Promise<Version<Plan>> {
  return readVersion(api.GET('/api/v1/admin/plans/{slug}', { params: { path: { slug } } }))
}

export async function createPlan(body: NewPlan): Promise<Plan> {
  return (await dataOf(api.POST('/api/v1/admin/plans', { body }))).data
}

/** Change a plan for all its accounts, at once. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updatePlan(slug: string, body: PlanChange, etag: string): Promise<Plan> {
  const params = { path: { slug }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/admin/plans/{slug}', { body, params }))).data
}

/** Move all accounts of a plan to another plan. */
export async function moveAccounts(slug: string, to: string): Promise<number> {
  const params = { path: { slug } }
  const call = api.POST('/api/v1/admin/plans/{slug}/move-accounts', { body: { to }, params })
  return (await dataOf(call)).data.moved
}

/** Delete a retired plan that no account is on. */
export async function removePlan(slug: string): Promise<void> {
  await api.DELETE('/api/v1/admin/plans/{slug}', { params: { path: { slug } } })
}
