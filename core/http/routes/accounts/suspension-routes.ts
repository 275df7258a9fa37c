import { z } from 'zod'
import { holdCaller } from '../../../accounts/access/hold-caller.ts'
import { releaseAccount, suspendAccount } from '../../../accounts/access/suspend-account.ts'
import type { Account } from '../../../accounts/account.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import { doOrTry } from '../../../storage/database.ts'
import { always, forAdmins, type Route, route } from '../../api/route/route.ts'
import type { AccountDeps } from './account-routes.ts'
import { answer, createReply, noSuchAccount, rowOfAccount } from './shown-account.ts'

const suspension = z.strictObject({
  linksClosed: z.boolean().optional().meta({
    description: 'Whether its links lead nowhere until it is released; false if absent.',
  }),
})

/** Suspending accounts, and releasing them. */
export function suspensionRoutes(deps: Omit<AccountDeps, 'entitlements'>): readonly Route[] {
  const { db, now } = deps
  const reply = createReply(deps.oneTimeLinks)

  async function settled(account: Account | Refusal | undefined, isDry: boolean) {
    if (isRefusal(account)) return account
    if (!account) return noSuchAccount
    if (!isDry) await deps.renewLinks([account.id])
    return reply(account)
  }

  return [
    route('POST /admin/accounts/:id/suspend', {
      ...forAdmins,
      name: 'accounts.suspend',
      summary: 'Suspend an account: its sessions end, and its API tokens open nothing',
      body: suspension,
      answer,
      problems: [404, 409],
      asksPassword: always,
      tries: true,
      async handle({ caller, params, body: { linksClosed = false }, isDry }) {
        const id = rowOfAccount(params.id)
        if (id === caller.accountId) return ownSuspension
        return settled(
          await doOrTry(db, isDry, db =>
            suspendAccount(db, id, linksClosed, now, (_, tx) => holdCaller(tx, caller)),
          ),
          isDry,
        )
      },
    }),
    route('POST /admin/accounts/:id/release', {
      ...forAdmins,
      name: 'accounts.release',
      summary: 'Release a suspended account: it may sign in, and its API tokens work again',
      answer,
      problems: [404, 409],
      asksPassword: always,
      tries: true,
      async handle({ caller, params, isDry }) {
        const id = rowOfAccount(params.id)
        return settled(
          await doOrTry(db, isDry, db =>
            releaseAccount(db, id, now, (_, tx) => holdCaller(tx, caller)),
          ),
          isDry,
        )
      },
    }),
  ]
}

const ownSuspension = refuse('own_account', 'Nobody can suspend their own account.', 409)
