import { z } from 'zod'
import { countAccountsByPlan, moveAccounts } from '../../accounts/accounts.ts'
import { digest } from '../../accounts/digest.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../plugin/lists/paging.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { noSuchPlan, planNotFound } from '../../settings/change-plans.ts'
import type { Contract } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import type { OfferedPlan } from '../../settings/offered-plans.ts'
import {
  type PlanPatch,
  planName,
  planPatch,
  planShape,
  planSlug,
} from '../../settings/plan-schema.ts'
import { type Database, doOrTry } from '../../storage/database.ts'
import { checkIfMatch, versionedReply } from '../api/etag.ts'
import { forAdmins, type Reply, type Route, route } from '../api/route/route.ts'

const targetPlan = z.strictObject({
  to: planSlug.meta({ description: 'Slug of the plan that they are on afterwards.' }),
})
const movedAnswer = z.strictObject({ data: z.strictObject({ moved: z.int().min(0) }) })

/** What accounts can be on. */
type Offer = Pick<Entitlements, 'findPlan' | 'plan' | 'changePlans'>

/** The plans as the operator set them, for admins. */
export function planRoutes({
  db,
  now,
  entitlements,
  contract,
  renewLinks,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly entitlements: Offer & Pick<Entitlements, 'plans' | 'draft'>
  readonly contract: Contract
  /** Has links follow the plans of their accounts. */
  renewLinks(accountIds: readonly number[]): Promise<void>
}): readonly Route[] {
  const { findPlan } = entitlements
  const offered = (isDry: boolean): Offer => (isDry ? entitlements.draft() : entitlements)
  const shownSchema = z.lazy(() => shownPlan(contract))
  const answer = z.lazy(() => z.strictObject({ data: shownSchema }))

  function shown(plan: OfferedPlan, accounts: number, offer: Offer) {
    const { slug, isBuiltIn, isRetired } = plan
    return { slug, isBuiltIn, isRetired, accounts, ...offer.plan(slug) }
  }

  /** The plan after a change; or why that was refused, or `not_found` if the plan is gone. */
  async function changed(
    slug: string,
    refused: Refusal | undefined,
    offer: Offer,
    headers?: Reply['headers'],
  ) {
    if (refused) return refused
    const plan = offer.findPlan(slug)
    if (!plan) return planNotFound
    const data = shown(plan, (await countAccountsByPlan(db)).get(slug) ?? 0, offer)
    return versionedReply(versionOf(plan), data, headers)
  }

  /** A plan can only have extensions that a plugin provides. */
  function refuseExtensions(slug: string, { extensions = {} }: PlanPatch): Refusal | undefined {
    const known = entitlements.plan(slug).extensions
    const unknown = Object.keys(extensions).find(name => !Object.hasOwn(known, name))
    if (unknown === undefined) return undefined
    return refuse('validation_failed', `No plugin provides ${unknown}.`, 422, 'extensions')
  }

  return [
    route('GET /admin/plans', {
      ...forAdmins,
      name: 'plans.list',
      summary: 'List the plans',
      query: pageQuery,
      answer: z.lazy(() => listSchema(shownSchema)),
      async handle({ query }) {
        const plans = entitlements.plans()
        const accounts = await countAccountsByPlan(db)
        const { offset, limit, after: [start = offset] = [] } = sliceOf(query)
        const end = Number(start) + limit
        const rows = plans
          .slice(Number(start), end)
          .map(plan => shown(plan, accounts.get(plan.slug) ?? 0, entitlements))
        // Plans are few and seldom come or go, so a number of rows is as good a cursor as any.
        const next = end < plans.length ? [end] : null
        return { body: listOf(rows, plans.length, query, '/api/v1/admin/plans', next) }
      },
    }),
    route('POST /admin/plans', {
      ...forAdmins,
      name: 'plans.create',
      summary: 'Create a plan as a copy of another, with changes',
      body: z.lazy(() => newPlan(contract)),
      answer,
      status: 201,
      isVersioned: true,
      tries: true,
      async handle({ body: { slug, copyOf, ...change }, isDry }) {
        const offer = offered(isDry)
        const refused =
          refuseExtensions(copyOf, change) ?? (await offer.changePlans.create(slug, copyOf, change))
        return changed(slug, refused, offer, { Location: `/api/v1/admin/plans/${slug}` })
      },
    }),
    route('GET /admin/plans/:slug', {
      ...forAdmins,
      name: 'plans.show',
      summary: 'Show a plan',
      answer,
      isVersioned: true,
      handle: ({ params: { slug = '' } }) => changed(slug, undefined, entitlements),
    }),
    route('PATCH /admin/plans/:slug', {
      ...forAdmins,
      name: 'plans.update',
      summary:
        'Change a plan for all its accounts, with immediate effect; a retired one takes no more accounts',
      body: z.lazy(() => planPatch(contract)),
      answer,
      isVersioned: true,
      problems: [409],
      tries: true,
      async handle({ params: { slug = '' }, body, ifMatch, isDry }) {
        const offer = offered(isDry)
        const isStale = (plan: OfferedPlan) => checkIfMatch(ifMatch, versionOf(plan))
        const refused =
          refuseExtensions(slug, body) ?? (await offer.changePlans.update(slug, body, isStale))
        return changed(slug, refused, offer)
      },
    }),
    route('POST /admin/plans/:slug/move-accounts', {
      ...forAdmins,
      name: 'plans.moveAccounts',
      summary: 'Move all accounts of a plan to another',
      body: targetPlan,
      answer: movedAnswer,
      problems: [404, 409],
      tries: true,
      async handle({ params: { slug = '' }, body: { to }, isDry }) {
        const target = findPlan(to)
        if (!findPlan(slug)) return planNotFound
        if (!target) return refuse('validation_failed', noSuchPlan, 422, 'to')
        if (target.isRetired) return retired
        const move = (db: Database) => moveAccounts(db, slug, to, now)
        const moved = to === slug ? [] : await doOrTry(db, isDry, move)
        if (!isDry && moved.length > 0) await renewLinks(moved)
        return { body: { data: { moved: moved.length } } }
      },
    }),
    route('DELETE /admin/plans/:slug', {
      ...forAdmins,
      name: 'plans.destroy',
      summary: 'Delete a retired plan that no account is on',
      status: 204,
      isVersioned: true,
      problems: [409],
      tries: true,
      async handle({ params: { slug = '' }, ifMatch, isDry }) {
        const accounts = (await countAccountsByPlan(db)).get(slug) ?? 0
        const refused = await offered(isDry).changePlans.remove(
          slug,
          plan =>
            checkIfMatch(ifMatch, versionOf(plan)) ?? (accounts > 0 ? hasAccounts : undefined),
        )
        return refused ?? {}
      },
    }),
  ]
}

/** A plan as admins see it. */
function shownPlan(contract: Contract) {
  return z
    .strictObject({
      slug: z.string(),
      isBuiltIn: z.boolean().meta({ description: 'Whether it comes with Linnet.' }),
      isRetired: z.boolean().meta({ description: 'Whether no account can be put on it any more.' }),
      accounts: z.int().min(0).meta({ description: 'How many accounts are on it.' }),
      ...planShape(contract),
    })
    .meta({ id: 'AdminPlan' })
}

/** What creating a plan takes. */
function newPlan(contract: Contract) {
  return planPatch(contract).extend({
    slug: planSlug,
    name: planName,
    copyOf: planSlug.default('free').meta({ description: 'Slug of the plan to begin with.' }),
  })
}

const retired = refuse('plan_retired', 'This plan takes no more accounts.', 409, 'to')
const hasAccounts = refuse(
  'plan_in_use',
  'There are accounts on this plan. Move them to another plan first.',
  409,
)

/** Plans have no count of their changes, so a digest of what was set is the version. */
function versionOf({ base, set }: OfferedPlan): string {
  return digest(JSON.stringify([base, set])).slice(0, 16)
}
