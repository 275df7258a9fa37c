import { z } from 'zod'
import { lentCaller } from '../../../accounts/access/lent-callers.ts'
import { allows } from '../../../accounts/access/scopes.ts'
import { suspended } from '../../../accounts/access/suspend-account.ts'
import type { SignedIn } from '../../../accounts/account.ts'
import { findAccount } from '../../../accounts/accounts.ts'
import type { LinkFields } from '../../../kernel/hooks/link-fields.ts'
import { batchConcurrent } from '../../../lib/async/batch-concurrent.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { type Link, shownToPlugins } from '../../../links/link.ts'
import type { LinkDeps } from '../../../links/write/link-deps.ts'
import { maxFormerCodes } from '../../../links/write/take-code.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Caller, LinkOwner, LinkWriting, SavedLink } from '../../../plugin.ts'
import { lacks } from '../../api/access/identify.ts'
import { withNameAsSent } from '../../api/answer.ts'
import { checkInput, checkPart } from '../../api/input/read-input.ts'
import { attemptWithoutKey } from '../../api/route/route.ts'
import type { Rejection } from '../../send/problem.ts'
import { broughtSchema, type Countable, readBrought, refuseTooMany } from './brought-visits.ts'
import type { LinkActions } from './link-actions.ts'
import { linkChangeSchema, newLinkSchema } from './link-schemas.ts'

const scope = 'links:write'

interface Deps {
  readonly links: Pick<LinkDeps, 'db' | 'now' | 'ownHosts' | 'targetSchemes'>
  readonly actions: LinkActions
  readonly fields: LinkFields
  readonly countable: Countable
}

/** Lets plugins write links, by the functions that answer requests. */
export function lendWriting({ links, actions, fields, countable }: Deps): LinkWriting {
  const newLink = z.lazy(() => newLinkSchema(fields, links))
  const linkChange = z.lazy(() => linkChangeSchema(fields))
  const past = z.lazy(() => pastSchema(links.now))

  // Of thousands of calls at once, each has a turn of its own, and what follows these is saved together.
  const accountOf = batchConcurrent({
    atMost: 16,
    keyOf: (id: number) => id,
    async work([id = 0, ...others]: readonly number[]) {
      const account = await findAccount(links.db, id)
      return [account, ...others.map(() => account)]
    },
  })

  async function callerOf(owner: LinkOwner): Promise<SignedIn | Refusal> {
    const caller = typeof owner === 'number' ? ownerOf(owner) : lentCaller(owner)
    if (!allows(caller.scopes, scope)) return lacks(scope, `This needs the scope "${scope}".`)
    const account = await accountOf(caller.accountId)
    if (!account) return refuse('not_found', 'This account does not exist.', 404)
    if (account.suspendedAt) return suspended
    return { credential: 'session', ...caller, account }
  }

  async function read(given: z.output<typeof broughtSchema>, { account }: SignedIn) {
    // Thousands of numbers were checked just now, and redirects have their turn.
    await yieldToRedirects()
    const about = { countable, plan: account.plan, now: links.now(), field: 'visits' }
    return readBrought(given, about)
  }

  return {
    async create(owner, link, brought = {}) {
      const caller = await callerOf(owner)
      if (isRefusal(caller)) return caller
      const body = checkInput(newLink, link, 'camel')
      if (isRefusal(body)) return body
      const tooMany = refuseTooMany(brought.visits, 'visits')
      if (tooMany) return tooMany
      const from = checkPart(past, brought, brought)
      if (isRefusal(from)) return from
      const visits = from.value.visits && (await read(from.value.visits, caller))
      if (isRefusal(visits)) return visits
      const isNamed = 'shortCode' in body.value && body.value.shortCode !== undefined
      if (from.value.formerCodes?.length && !isNamed) return withoutCode
      const call = { caller, attempt: attemptWithoutKey }
      return lend(await actions.create(call, body.value, { past: { ...from.value, visits } }), link)
    },

    async update(owner, id, change) {
      const caller = await callerOf(owner)
      if (isRefusal(caller)) return caller
      const body = checkInput(linkChange, change, 'camel')
      if (isRefusal(body)) return body
      return lend(await actions.change(caller, id, body.value), change)
    },

    async addVisits(owner, id, key, given) {
      const caller = await callerOf(owner)
      if (isRefusal(caller)) return caller
      const tooMany = refuseTooMany(given, 'visits')
      if (tooMany) return tooMany
      const bringing = { key, visits: given }
      const checked = checkPart(toAdd, bringing, bringing)
      if (isRefusal(checked)) return checked
      const brought = await read(checked.value.visits, caller)
      if (isRefusal(brought)) return brought
      return actions.addVisits(caller, id, { key: checked.value.key, brought })
    },

    async remove(owner, id) {
      const caller = await callerOf(owner)
      return isRefusal(caller) ? caller : lend(await actions.delete(caller, id), {})
    },

    async restore(owner, id) {
      const caller = await callerOf(owner)
      return isRefusal(caller) ? caller : lend(await actions.restore(caller, id), {})
    },
  }
}

/** What stands in for it where a transaction is open, which the new one would wait for. */
export const writingWithin: LinkWriting = {
  create: outOfPlace,
  update: outOfPlace,
  addVisits: outOfPlace,
  remove: outOfPlace,
  restore: outOfPlace,
}

async function outOfPlace(): Promise<never> {
  throw new Error(
    'context.links cannot write a link where context.db is a transaction: the link has one of its own. Write it before or after, such as in a job.',
  )
}

function ownerOf(accountId: number): Caller {
  return { accountId, isAdmin: false, scopes: ['*'] }
}

function lend(result: Link | Refusal, sent: object): SavedLink | Rejection {
  return isRefusal(result) ? withNameAsSent(result, sent, 'camel') : shownToPlugins(result)
}

/** Whose plan does not let them choose codes would choose them so. */
const withoutCode = refuse(
  'validation_failed',
  'A link with former codes has a short code, too: give it one.',
  422,
  'formerCodes',
)

const key = z.string().min(1).max(200)
const toAdd = z.strictObject({ key, visits: broughtSchema })

/** A moment is compared with the time at which it is read. */
function pastSchema(now: () => Date) {
  const soFar = z.date().refine(it => it.getTime() >= 0 && it <= now(), {
    error: 'Must be a moment from 1970 to now.',
  })
  return z
    .strictObject({
      createdAt: soFar.optional(),
      updatedAt: soFar.optional(),
      formerCodes: z.array(z.string().min(1).max(255)).max(maxFormerCodes).optional(),
      hashed: z.record(z.string().max(100), z.string().max(500)).optional(),
      visits: broughtSchema.optional(),
      visitKeys: z.array(key).max(1_000).optional(),
    })
    .refine(it => !it.updatedAt || it.updatedAt >= (it.createdAt ?? now()), {
      path: ['updatedAt'],
      error: 'Must not be before createdAt.',
    })
}
