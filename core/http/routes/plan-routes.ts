import { z } from 'zod'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../plugin/paging.ts'
import type { Contract } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { isPlanSlug, type PlanSlug, planSlugs } from '../../settings/plan.ts'
import { planPatch, planShape } from '../../settings/plan-schema.ts'
import { type Route, route } from '../api/route.ts'

/** The plans as the operator set them, for admins. */
export function planRoutes({
  entitlements,
  contract,
}: {
  readonly entitlements: Pick<Entitlements, 'plan' | 'updatePlan'>
  readonly contract: Contract
}): readonly Route[] {
  const planSchema = z.strictObject({ slug: z.enum(planSlugs), ...planShape(contract) })
  const shown = (slug: PlanSlug) => ({ slug, ...entitlements.plan(slug) })
  return [
    route({
      method: 'GET',
      path: '/admin/plans',
      name: 'plans.list',
      group: 'Admin',
      summary: 'List the plans',
      scope: 'admin',
      query: pageQuery,
      answer: listSchema(planSchema),
      status: 200,
      handle({ query }) {
        const { offset, limit, after: [start = offset] = [] } = sliceOf(query)
        const end = Number(start) + limit
        const rows = planSlugs.slice(Number(start), end).map(shown)
        // Nobody makes or removes a plan: a number of rows is as good a place as any.
        const next = end < planSlugs.length ? [end] : null
        return { body: listOf(rows, planSlugs.length, query, '/api/v1/admin/plans', next) }
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/plans/:slug',
      name: 'plans.update',
      group: 'Admin',
      summary: 'Change a plan for all its accounts, with immediate effect',
      scope: 'admin',
      body: planPatch(contract),
      answer: z.strictObject({ data: planSchema }),
      status: 200,
      async handle({ params: { slug = '' }, body }) {
        if (!isPlanSlug(slug)) return refuse('not_found', 'This plan does not exist.', 404)
        const changed = await entitlements.updatePlan(slug, body)
        return isRefusal(changed) ? changed : { body: { data: shown(slug) } }
      },
    }),
  ]
}
