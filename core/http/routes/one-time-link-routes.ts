import { z } from 'zod'
import type { OneTimeLinks } from '../../accounts/access/one-time-links.ts'
import { newPassword } from '../../accounts/account-fields.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import { always, forAdmins, notAdmin, type Route, route } from '../api/route/route.ts'
import { noSuchAccount, refuseOwn, rowOfAccount } from './account-routes.ts'
import { type SignedInDeps, signInOrAsk } from './answer-signed-in.ts'

export interface OneTimeLinkDeps extends SignedInDeps {
  readonly oneTimeLinks: OneTimeLinks
}

const nothingToRevoke = refuse('not_found', 'This account has no unused one-time link.', 404)

const moment = z.iso.datetime()

const madeLink = z.strictObject({
  secret: z.string().meta({
    description:
      'Shown only in this answer. The dashboard reads it in `/dashboard/one-time-link#<secret>`.',
  }),
  createdAt: moment,
  expiresAt: moment.meta({
    description: 'After seven days where the account has no password yet, else after one.',
  }),
})

const secret = z.string().max(100).meta({ description: 'What follows the `#` of the link.' })

const opened = z.strictObject({
  email: z.string(),
  fullName: z.string().nullable(),
  hasPassword: z.boolean().meta({ description: 'False: the account is new.' }),
})

const madeAnswer = z.strictObject({ data: madeLink })
const whichLink = z.strictObject({ secret })
const openedAnswer = z.strictObject({ data: opened })
const chosenPassword = z.strictObject({ secret, password: newPassword })

/** Invitations, and links to a new password: an admin makes them, and whoever holds one uses it once. */
export function oneTimeLinkRoutes(deps: OneTimeLinkDeps): readonly Route[] {
  const { oneTimeLinks } = deps
  const open = {
    group: 'Session',
    scope: 'anyone',
    problems: [403],
    rateLimit: ({ ip }: { readonly ip: string }) => oneTimeLinks.left(clientKey(ip)),
  } as const
  return [
    route('POST /admin/accounts/:id/one-time-link', {
      group: 'Admin',
      scope: '*',
      name: 'accounts.makeOneTimeLink',
      summary: 'Create a link to choose the password of an account',
      answer: madeAnswer,
      status: 201,
      asksPassword: always,
      async handle({ caller, params }) {
        if (!caller.isAdmin) return notAdmin
        const id = rowOfAccount(params.id)
        const refused = refuseOwn(caller, id)
        if (refused) return refused
        const made = await oneTimeLinks.make(id, caller)
        if (!made) return noSuchAccount
        if (isRefusal(made)) return made
        return { body: { data: made } }
      },
    }),
    route('DELETE /admin/accounts/:id/one-time-link', {
      ...forAdmins,
      name: 'accounts.revokeOneTimeLink',
      summary: 'Revoke the link to choose the password of an account',
      status: 204,
      async handle({ params }) {
        return (await oneTimeLinks.revoke(rowOfAccount(params.id))) ? {} : nothingToRevoke
      },
    }),
    route('POST /one-time-link/open', {
      ...open,
      name: 'oneTimeLink.open',
      summary: 'Show whose password a one-time link sets, without using it',
      body: whichLink,
      answer: openedAnswer,
      async handle({ ip, body }) {
        const account = await oneTimeLinks.open(body.secret, clientKey(ip))
        if (isRefusal(account)) return account
        const { email, fullName, hasPassword } = account
        return { body: { data: { email, fullName, hasPassword } } }
      },
    }),
    route('POST /one-time-link/use', {
      ...open,
      name: 'oneTimeLink.use',
      summary: 'Choose the password by a one-time link, and sign in',
      body: chosenPassword,
      answer: deps.answer,
      status: 201,
      async handle({ body: { secret, password }, ...browser }) {
        const account = await oneTimeLinks.use(secret, password, clientKey(browser.ip))
        return isRefusal(account) ? account : signInOrAsk(deps, account, browser)
      },
    }),
  ]
}
