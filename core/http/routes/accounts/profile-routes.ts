import { z } from 'zod'
import {
  changePassword,
  type Objection,
  updateAccount,
} from '../../../accounts/access/change-account.ts'
import type { ConfirmPassword } from '../../../accounts/access/confirm-password.ts'
import { gone, holdCaller, openSessionOf } from '../../../accounts/access/hold-caller.ts'
import type { Account } from '../../../accounts/account.ts'
import { currentPassword, fullName, newPassword } from '../../../accounts/account-fields.ts'
import {
  type Counts,
  type Profile,
  profileOf,
  summaryOf,
  summarySchema,
} from '../../../accounts/profile.ts'
import { usageOf } from '../../../accounts/usage.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import { type Database, doOrTry } from '../../../storage/database.ts'
import type { SessionCookie } from '../../api/access/session-cookie.ts'
import { checkIfMatch, etagOf } from '../../api/etag.ts'
import { always, type Route, route } from '../../api/route/route.ts'

export interface ProfileDeps {
  readonly db: Database
  readonly entitlements: Entitlements
  readonly now: () => Date
  /** The body of every answer that shows a whole profile. */
  readonly answer: z.ZodType
  /** How much an account has of what plugins count. */
  counts(accountId: number): Promise<Counts>
}

/**
 * Delete an account and everything it owns, or only try to; false when there is none. `heir`: row id of the account that gets its
 * links first.
 */
export type DeleteAccount = (
  id: number,
  object: Objection,
  isDry: boolean,
  heir?: number,
) => Promise<boolean | Refusal>

/** Work out the profile of an account. */
export async function readProfile(deps: ProfileDeps, account: Account): Promise<Profile> {
  const [usage, counts] = await Promise.all([
    usageOf(deps.db, account.id, deps.now),
    deps.counts(account.id),
  ])
  return profileOf(account, deps.entitlements, usage, counts)
}

const profileChange = z.strictObject({ fullName })
const summaryAnswer = z.strictObject({ data: summarySchema })

/** A hundred thousand links are deleted or handed over in some seconds; on a busy machine, in many. */
export const allLinksMs = 120_000

/** The account that calls: sections 4.1 to 4.3 of the contract. */
export function profileRoutes(
  deps: ProfileDeps & {
    readonly deleteAccount: DeleteAccount
    /** Drops the links of an account from memory. */
    forgetLinks(accountId: number): void
  },
): readonly Route[] {
  return [
    route('GET /profile', {
      name: 'profile.show',
      group: 'Profile',
      summary: 'Show your account, its plan and its usage',
      tool: 'Show whose account this is, what its plan allows and how much of it is used.',
      scope: 'profile:read',
      answer: deps.answer,
      isVersioned: true,
      async handle({ caller: { account } }) {
        const data = await readProfile(deps, account)
        return { body: { data }, headers: { ETag: accountEtag(account, data) } }
      },
    }),
    route('PATCH /profile', {
      name: 'profile.update',
      group: 'Profile',
      summary: 'Change your name',
      scope: '*',
      body: profileChange,
      casing: 'camel',
      answer: summaryAnswer,
      isVersioned: true,
      tries: true,
      async handle({ caller, body, ifMatch, isDry }) {
        const { db, now } = deps
        const changed = await doOrTry(db, isDry, db =>
          updateAccount(db, caller.accountId, body, now, unlessStale(ifMatch)),
        )
        if (isRefusal(changed)) return changed
        if (!changed) return gone
        const data = summaryOf(changed)
        return { body: { data }, headers: { ETag: accountEtag(changed, data) } }
      },
    }),
    route('DELETE /profile', {
      name: 'profile.destroy',
      group: 'Profile',
      summary: 'Delete your account and everything it owns',
      scope: '*',
      status: 204,
      isVersioned: true,
      asksPassword: always,
      answerMs: allLinksMs,
      tries: true,
      async handle({ caller, ifMatch, isDry }) {
        const deleted = await deps.deleteAccount(
          caller.accountId,
          async (account, tx) =>
            (await unlessStale(ifMatch)(account, tx)) ?? (await holdCaller(tx, caller)),
          isDry,
        )
        if (isRefusal(deleted)) return deleted
        if (!isDry) deps.forgetLinks(caller.accountId)
        return {}
      },
    }),
  ]
}

/** The version of an account is the moment of its last change. */
export function accountEtag({ updatedAt }: Account, shown: unknown): string {
  return etagOf(updatedAt.getTime(), shown)
}

/** Honours `If-Match`. */
export function unlessStale(ifMatch: string | undefined): Objection {
  return ({ updatedAt }) => checkIfMatch(ifMatch, updatedAt.getTime())
}

const passwords = z.strictObject({
  currentPassword: currentPassword.optional(),
  newPassword,
})

/**
 * The caller's own password. A token that allows everything may change it too, because it must know the current
 * one. It is a `PATCH`, because repeats of a `POST` are recognized by a digest of what was sent.
 */
export function ownPasswordRoutes(
  deps: Pick<ProfileDeps, 'db' | 'now'> & {
    readonly confirm: ConfirmPassword
    readonly cookie: SessionCookie
  },
): readonly Route[] {
  const { db, now, confirm, cookie } = deps
  return [
    route('PATCH /profile/password', {
      name: 'profile.password',
      group: 'Profile',
      summary: 'Change your password and end all other sessions',
      scope: '*',
      body: passwords,
      status: 204,
      problems: [409],
      rateLimit: ({ caller }) => confirm.left(caller),
      async handle({ caller, body }) {
        const change = { current: body.currentPassword ?? null, password: body.newPassword }
        const changed = await changePassword(db, caller, change, { confirm, now })
        if (isRefusal(changed)) return changed
        if (caller.credential !== 'session') return {}
        const { methods, authenticatedAt } = caller
        const session = await openSessionOf(db, changed, now, methods, authenticatedAt)
        if (isRefusal(session)) return session
        return { headers: { 'Set-Cookie': cookie.keep(session) } }
      },
    }),
  ]
}
