import { z } from 'zod'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../plugin/paging.ts'
import { type Contract, featuresSchema } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { isPlanSlug, type PlanSlug, planSlugs } from '../../settings/plan.ts'
import { planPatch, planShape } from '../../settings/plan-schema.ts'
import { forAdmins, type Route, route } from '../api/route.ts'

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
    route('GET /admin/plans', {
      ...forAdmins,
      name: 'plans.list',
      summary: 'List the plans',
      query: pageQuery,
      answer: listSchema(planSchema),
      handle({ query }) {
        const { offset, limit, after: [start = offset] = [] } = sliceOf(query)
        const end = Number(start) + limit
        const rows = planSlugs.slice(Number(start), end).map(shown)
        // Nobody makes or removes a plan: a number of rows is as good a place as any.
        const next = end < planSlugs.length ? [end] : null
        return { body: listOf(rows, planSlugs.length, query, '/api/v1/admin/plans', next) }
      },
    }),
    route('PATCH /admin/plans/:slug', {
      ...forAdmins,
      name: 'plans.update',
      summary: 'Change a plan for all its accounts, with immediate effect',
      body: planPatch(contract),
      answer: z.strictObject({ data: planSchema }),
      async handle({ params: { slug = '' }, body }) {
        if (!isPlanSlug(slug)) return refuse('not_found', 'This plan does not exist.', 404)
        const changed = await entitlements.updatePlan(slug, body)
        return isRefusal(changed) ? changed : { body: { data: shown(slug) } }
      },
    }),
  ]
}

/** The global switches, for admins. */
export function featureRoutes({
  entitlements,
  contract,
}: {
  readonly entitlements: Pick<Entitlements, 'features' | 'updateFeatures'>
  readonly contract: Contract
}): readonly Route[] {
  const schema = featuresSchema(contract)
  const answer = z.strictObject({ data: schema })
  return [
    route('GET /admin/features', {
      ...forAdmins,
      name: 'features.show',
      summary: 'Show the global switches',
      answer,
      handle: () => ({ body: { data: entitlements.features() } }),
    }),
    route('PATCH /admin/features', {
      ...forAdmins,
      name: 'features.update',
      summary: 'Change the global switches, with immediate effect',
      body: schema.partial(),
      answer,
      async handle({ body }) {
        const changed = await entitlements.updateFeatures(body)
        return isRefusal(changed) ? changed : { body: { data: changed } }
      },
    }),
  ]
}
