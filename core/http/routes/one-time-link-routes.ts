import { z } from 'zod'
import {
  makeOneTimeLink,
  type OneTimeLinks,
  urlOfOneTimeLink,
} from '../../accounts/access/one-time-links.ts'
import { allowsPassword } from '../../accounts/access/sign-in.ts'
import { email, newPassword } from '../../accounts/account-fields.ts'
import { findAccountByEmail } from '../../accounts/accounts.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { type Throttle, tooManyRequests } from '../../limits/throttle.ts'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import type { Log, Mailer, PasswordRule } from '../../plugin.ts'
import { always, forAdmins, notAdmin, type Route, route } from '../api/route/route.ts'
import { noSuchAccount, refuseOwn, rowOfAccount } from './account-routes.ts'
import { passwordsOff, type SignedInDeps, signInOrAsk } from './answer-signed-in.ts'

export interface OneTimeLinkDeps extends SignedInDeps {
  readonly oneTimeLinks: OneTimeLinks
  readonly passwordRule: () => PasswordRule
  readonly mailer: Mailer
  readonly throttle: Throttle
  readonly dashboardUrl: string
  readonly log: Log
}

/** How many links somebody may ask for in an hour, from one client and for one address. */
const perHour = { client: 20, address: 3 }
const hour = 3_600

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
    route('POST /one-time-link/ask', {
      group: 'Session',
      scope: 'anyone',
      name: 'oneTimeLink.ask',
      summary: 'Have a link to a new password mailed to the address of an account',
      body: z.strictObject({ email }),
      status: 204,
      problems: [403, 409],
      rateLimit: ({ ip }) => deps.throttle.peek(clientOf(ip), perHour.client, hour),
      async handle({ ip, body, acceptLanguage }) {
        if (!deps.mailer.canSend()) return noMail
        if (deps.passwordRule() === 'nobody') return passwordsOff
        const verdict = await deps.throttle(clientOf(ip), perHour.client, hour)
        if (!verdict.allowed) return tooManyRequests(verdict)
        // Not awaited: neither the answer nor its time tells whether there is such an account.
        mailLink(deps, body.email, acceptLanguage).catch(error =>
          deps.log.warn('A link to a new password could not be mailed', { error }),
        )
        return {}
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

const clientOf = (ip: string) => `link for ${clientKey(ip)}`

/** Only to an account that signs in by password already: a provider may have made the others. */
async function mailLink(
  { db, now, throttle, mailer, passwordRule, dashboardUrl, chooseLanguage, log }: OneTimeLinkDeps,
  address: string,
  acceptLanguage: string,
): Promise<void> {
  const account = await findAccountByEmail(db, address)
  if (
    !account?.hasPassword ||
    account.suspendedAt ||
    !allowsPassword(passwordRule(), account.isAdmin)
  )
    return
  if (!(await throttle(`link to ${account.id}`, perHour.address, hour)).allowed) return
  const { secret } = await makeOneTimeLink(db, account, now)
  const language = chooseLanguage(acceptLanguage)
  const say = (texts: (typeof mailTexts)['subject']) => language.say(texts) ?? texts.en
  const refused = await mailer.send({
    to: account.email,
    subject: say(mailTexts.subject),
    text: `${say(mailTexts.text)}\n\n${urlOfOneTimeLink(dashboardUrl, secret)}\n`,
  })
  if (refused) log.warn('A link to a new password could not be mailed', { why: refused.detail })
}

const mailTexts = {
  subject: {
    en: 'A new password',
    de: 'Ein neues Passwort',
    fr: 'Un nouveau mot de passe',
    es: 'Una contraseña nueva',
  },
  text: {
    en: 'Somebody asked for a new password for your account. If it was you, open this link within a day. If not, do nothing: your password stays as it is.',
    de: 'Jemand möchte ein neues Passwort für dein Konto. Wenn du das warst, öffne innerhalb eines Tages diesen Link. Wenn nicht, tu nichts: Dein Passwort bleibt, wie es ist.',
    fr: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte. Si c’était vous, ouvrez ce lien dans la journée. Sinon, ne faites rien : votre mot de passe reste le même.',
    es: 'Alguien pidió una contraseña nueva para tu cuenta. Si fuiste tú, abre este enlace en el plazo de un día. Si no, no hagas nada: tu contraseña sigue igual.',
  },
}

const noMail = refuse('mail_off', 'No running plugin sends mail.', 409)
