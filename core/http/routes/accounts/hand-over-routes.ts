import { z } from 'zod'
import type { Objection } from '../../../accounts/access/change-account.ts'
import { holdCaller } from '../../../accounts/access/hold-caller.ts'
import { namedLinks } from '../../../links/write/hand-over.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { HandedOver } from '../../../plugin/write-links.ts'
import type { Database } from '../../../storage/database.ts'
import { always, forAdmins, type Route, route } from '../../api/route/route.ts'
import { allLinksMs, type DeleteAccount, unlessStale } from './profile-routes.ts'
import { noSuchAccount, rowOfAccount } from './shown-account.ts'

export interface HandOverDeps {
  readonly db: Database
  readonly deleteAccount: DeleteAccount
  /** Gives links of an account to another, or only tries to; undefined if there is no such account. */
  handOver(
    what: HandedOver,
    object: Objection,
    isDry: boolean,
  ): Promise<number | Refusal | undefined>
  readonly links: Parameters<typeof namedLinks>[1]
  /** Drops the links of a deleted account from memory. */
  forgetLinks(accountId: number): void
  /** Has links follow what changed about their accounts. */
  renewLinks(accountIds: readonly number[]): Promise<void>
}

const handingOver = z.strictObject({
  to: z.string().max(100).meta({ description: 'Id of the other account.' }),
  links: z.array(z.string().min(1).max(2_100)).min(1).max(100).optional().meta({
    description:
      'Ids or short URLs of some of its links; absent: all, with deleted links and what plugins keep of them.',
  }),
})

/** Handing over the links of an account, and deleting it with those that nobody gets. */
export function handOverRoutes(deps: HandOverDeps): readonly Route[] {
  const { db } = deps
  return [
    route('POST /admin/accounts/:id/hand-over', {
      ...forAdmins,
      name: 'accounts.handOver',
      summary: 'Hand over links of an account to another, or all of them with what belongs to them',
      body: handingOver,
      answer: z.strictObject({ data: z.strictObject({ links: z.int().min(0) }) }),
      problems: [404, 409],
      asksPassword: always,
      answerMs: allLinksMs,
      tries: true,
      async handle({ caller, params, body: { to, links: names }, isDry }) {
        const from = rowOfAccount(params.id)
        const links = names && (await namedLinks(db, deps.links, from, names))
        if (isRefusal(links)) return links
        const what = { from, to: rowOfAccount(to), links }
        const given = await deps.handOver(what, (_, tx) => holdCaller(tx, caller), isDry)
        if (isRefusal(given)) return given
        if (given === undefined) return noSuchAccount
        if (!isDry) await deps.renewLinks([from])
        return { body: { data: { links: given } } }
      },
    }),
    route('DELETE /admin/accounts/:id', {
      ...forAdmins,
      name: 'accounts.destroy',
      summary: 'Delete an account and everything it owns, or what it did not hand over',
      query: z.strictObject({
        handOverTo: z.string().max(100).optional().meta({
          description:
            'Id of another account, which gets its links and what belongs to them first; absent: its short URLs die.',
        }),
      }),
      status: 204,
      isVersioned: true,
      asksPassword: always,
      answerMs: allLinksMs,
      tries: true,
      async handle({ params, query: { handOverTo }, ifMatch, isDry }) {
        const id = rowOfAccount(params.id)
        const heir = handOverTo === undefined ? undefined : rowOfAccount(handOverTo)
        const deleted = await deps.deleteAccount(id, unlessStale(ifMatch), isDry, heir)
        if (isRefusal(deleted)) return named(deleted, 'handOverTo')
        if (!deleted) return noSuchAccount
        if (!isDry) deps.forgetLinks(id)
        if (!isDry && heir !== undefined) await deps.renewLinks([id])
        return {}
      },
    }),
  ]
}

/** Who gets the links has another name in the query than in a body. */
function named(refusal: Refusal, field: string): Refusal {
  return refusal.field === 'to' ? { ...refusal, field } : refusal
}
