import { z } from 'zod'
import { type Objection, updateAccount } from '../../../accounts/access/change-account.ts'
import { holdCaller } from '../../../accounts/access/hold-caller.ts'
import { makeOneTimeLink, type OneTimeLinks } from '../../../accounts/access/one-time-links.ts'
import { needsEverything } from '../../../accounts/access/scopes.ts'
import { email, fullName, newPassword } from '../../../accounts/account-fields.ts'
import { createAccount, findAccount } from '../../../accounts/accounts.ts'
import { listAccounts } from '../../../accounts/list-accounts.ts'
import { showAccount } from '../../../accounts/profile.ts'
import { listOf, listSchema, pageQuery, sliceOf } from '../../../plugin/lists/paging.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Caller } from '../../../plugin.ts'
import { noSuchPlan } from '../../../settings/change-plans.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import { defaultPlan } from '../../../settings/plan.ts'
import { planSlug } from '../../../settings/plan-schema.ts'
import { type Database, doOrTry, inTransactionUnlessRefused } from '../../../storage/database.ts'
import { forAdmins, type Route, route } from '../../api/route/route.ts'
import { unlessStale } from './profile-routes.ts'
import {
  answer,
  createReply,
  noSuchAccount,
  rowOfAccount,
  shown,
  shownSchema,
} from './shown-account.ts'

export interface AccountDeps {
  readonly db: Database
  readonly entitlements: Pick<Entitlements, 'findPlan'>
  readonly now: () => Date
  readonly oneTimeLinks: Pick<OneTimeLinks, 'waiting'>
  /** Has links follow what changed about accounts: their plans, and whether their links lead anywhere. */
  renewLinks(accountIds: readonly number[]): Promise<void>
}

const listedSchema = shownSchema
  .extend({
    linksCount: z.int().min(0).meta({ description: 'How many links it has.' }),
    usage: z.strictObject({
      linksCreatedThisMonth: z.int().min(0),
      visitsTrackedThisMonth: z.int().min(0),
    }),
    lastSeenAt: z.iso.datetime().nullable().meta({
      description:
        'When one of its sessions or API tokens was last used; null: never, or its sessions have ended since.',
    }),
  })
  .meta({ id: 'ListedAccount' })

const listQuery = pageQuery.extend({
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Words of the e-mail address and the name, in any order and case.' }),
})

const newAccount = z.strictObject({
  email,
  password: newPassword.nullable().optional().meta({
    description: 'Without one, nobody can sign in until a one-time link is used.',
  }),
  fullName: fullName.nullable().optional(),
  plan: planSlug.optional(),
  isAdmin: z.boolean().optional(),
  invite: z.boolean().optional().meta({
    description: 'Also make the one-time link by which its owner chooses the password.',
  }),
})

const accountChange = z.strictObject({
  password: newPassword.optional(),
  fullName: fullName.nullable().optional(),
  plan: planSlug.optional(),
  isAdmin: z.boolean().optional(),
})

const madeAnswer = z.strictObject({
  data: shownSchema.extend({
    oneTimeLinkSecret: z.string().nullable().meta({
      description:
        'What follows the `#` of `/dashboard/one-time-link#<secret>`, shown only in this answer; null unless `invite` was sent.',
    }),
  }),
})

const listAnswer = listSchema(listedSchema)

/** The accounts of this instance, for admins: what they are, not what becomes of them. */
export function accountRoutes(deps: AccountDeps): readonly Route[] {
  const { db, now, oneTimeLinks } = deps
  const reply = createReply(oneTimeLinks)
  /** Accounts stay on a retired plan, but no account is put on it. */
  const refusePlan = (slug: string): Refusal | undefined => {
    const found = deps.entitlements.findPlan(slug)
    if (!found) return refuse('validation_failed', noSuchPlan, 422, 'plan')
    return found.isRetired ? retired : undefined
  }
  return [
    route('GET /admin/accounts', {
      ...forAdmins,
      name: 'accounts.list',
      summary: 'List or search accounts, oldest first, with what they use',
      query: listQuery,
      answer: listAnswer,
      async handle({ query }) {
        const { search } = query
        const { rows, total, next } = await listAccounts(db, sliceOf(query), { search, now })
        const waiting = await oneTimeLinks.waiting(rows.map(({ id }) => id))
        const data = rows.map(row => ({
          ...shown(row, waiting.get(row.id)),
          linksCount: row.linksCount,
          usage: row.usage,
          lastSeenAt: row.lastSeenAt,
        }))
        return { body: listOf(data, total, query, '/api/v1/admin/accounts', next) }
      },
    }),
    route('POST /admin/accounts', {
      ...forAdmins,
      name: 'accounts.create',
      summary: 'Create an account; to create an admin, the token needs `*`',
      body: newAccount,
      answer: madeAnswer,
      status: 201,
      isVersioned: true,
      asksPassword: ({ isAdmin }) => isAdmin === true,
      tries: true,
      async handle({ caller, body, isDry }) {
        const refused = body.isAdmin === true ? needsEverything(caller) : undefined
        if (refused) return refused
        const { password = null, fullName = null, plan = defaultPlan, isAdmin = false } = body
        const invite = body.invite === true
        if (invite && password !== null) return invitedChooses
        const barred = refusePlan(plan)
        if (barred) return barred
        const draft = { email: body.email, password, fullName, plan, isAdmin }
        const made = await doOrTry(db, isDry, db =>
          inTransactionUnlessRefused(db, async tx => {
            const account = await createAccount(tx, draft, now, tx => holdCaller(tx, caller))
            if (isRefusal(account)) return account
            return { account, link: invite ? await makeOneTimeLink(tx, account, now) : undefined }
          }),
        )
        if (isRefusal(made)) return made
        const { account, link } = made
        const { id } = showAccount(account)
        const { body: shown, headers } = await reply(account, {
          Location: `/api/v1/admin/accounts/${id}`,
        })
        // A link that was only tried opens nothing.
        const oneTimeLinkSecret = (!isDry && link?.secret) || null
        return { body: { data: { ...shown.data, oneTimeLinkSecret } }, headers }
      },
    }),
    route('GET /admin/accounts/:id', {
      ...forAdmins,
      name: 'accounts.show',
      summary: 'Show an account',
      answer,
      isVersioned: true,
      async handle({ params }) {
        const account = await findAccount(db, rowOfAccount(params.id))
        return account ? reply(account) : noSuchAccount
      },
    }),
    route('PATCH /admin/accounts/:id', {
      ...forAdmins,
      name: 'accounts.update',
      summary:
        'Change the name or plan of an account; to change its password or whether it is an admin, the token needs `*`',
      body: accountChange,
      answer,
      isVersioned: true,
      asksPassword: opensMore,
      tries: true,
      async handle({ caller, params, body, ifMatch, isDry }) {
        const id = rowOfAccount(params.id)
        const refused = opensMore(body)
          ? (needsEverything(caller) ?? refuseOwn(caller, id))
          : undefined
        if (refused) return refused
        const { plan } = body
        const object: Objection = async (account, tx) => {
          const ended = await holdCaller(tx, caller)
          if (ended) return ended
          const moves = plan !== undefined && plan !== account.plan
          return (await unlessStale(ifMatch)(account, tx)) ?? (moves ? refusePlan(plan) : undefined)
        }
        const account = await doOrTry(db, isDry, db => updateAccount(db, id, body, now, object))
        if (isRefusal(account)) return account
        if (!account) return noSuchAccount
        if (plan !== undefined && !isDry) await deps.renewLinks([id])
        // A new password ends the link that could set another.
        return reply(account, {}, isDry && body.password !== undefined)
      },
    }),
  ]
}

/** Whether a change gives access to what the account could not do, or takes it from its owner. */
function opensMore({ password, isAdmin }: z.output<typeof accountChange>): boolean {
  return password !== undefined || isAdmin !== undefined
}

/** An admin changes the own password where the current one is asked for, and leaves it to another to step back. */
export function refuseOwn({ accountId }: Caller, id: number): Refusal | undefined {
  return id === accountId ? ownAccount : undefined
}

const ownAccount = refuse(
  'own_account',
  'This is your own account. Change your password with `PATCH /profile/password`; only another admin can take your admin rights.',
  409,
)
const invitedChooses = refuse(
  'validation_failed',
  'Whoever is invited chooses the password: leave it out, or the invitation.',
  422,
  'invite',
)
const retired = refuse('plan_retired', 'This plan takes no more accounts.', 409, 'plan')
