import { z } from 'zod'
import {
  makeOneTimeLink,
  type OneTimeLinks,
  urlOfOneTimeLink,
} from '../../../accounts/access/one-time-links.ts'
import { allowsPassword } from '../../../accounts/access/sign-in.ts'
import type { Account } from '../../../accounts/account.ts'
import { email, newPassword } from '../../../accounts/account-fields.ts'
import { findAccount, findAccountByEmail } from '../../../accounts/accounts.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import { createLimit, type Throttle } from '../../../limits/throttle.ts'
import type { Texts } from '../../../plugin/answers/visitor-text.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Log, Mailer, PasswordRule } from '../../../plugin.ts'
import { always, forAdmins, forWholeAdmins, type Route, route } from '../../api/route/route.ts'
import { refuseOwn } from '../accounts/account-routes.ts'
import { noSuchAccount, rowOfAccount } from '../accounts/shown-account.ts'
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
const ofClient = { max: 20, seconds: 3_600 }
const ofAddress = { max: 3, seconds: 3_600 }

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
  isMailed: z.boolean().meta({ description: 'Whether it was mailed to the account.' }),
  mailProblem: z.string().nullable().meta({
    description: 'Why it was not mailed, if that was asked for; the link works all the same.',
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
  const limit = createLimit(deps.throttle, clientOf, ofClient)
  const open = {
    group: 'Session',
    scope: 'anyone',
    problems: [403],
    rateLimit: ({ ip }: { readonly ip: string }) => oneTimeLinks.left(clientKey(ip)),
  } as const
  return [
    route('POST /admin/accounts/:id/one-time-link', {
      ...forWholeAdmins,
      name: 'accounts.makeOneTimeLink',
      summary: 'Create a link to choose the password of an account, and mail it there if asked to',
      body: z.strictObject({
        mail: z.boolean().default(false).meta({
          description: 'Mail it to the address of the account.',
        }),
      }),
      answer: madeAnswer,
      status: 201,
      asksPassword: always,
      async handle({ caller, params, body, acceptLanguage }) {
        const id = rowOfAccount(params.id)
        const refused = refuseOwn(caller, id)
        if (refused) return refused
        const made = await oneTimeLinks.make(id, caller)
        if (!made) return noSuchAccount
        if (isRefusal(made)) return made
        const notMailed = body.mail
          ? await mailMade(deps, id, made.secret, acceptLanguage)
          : undefined
        const isMailed = body.mail && notMailed === undefined
        return { body: { data: { ...made, isMailed, mailProblem: notMailed?.detail ?? null } } }
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
      rateLimit: ({ ip }) => limit.left(ip),
      async handle({ ip, body, acceptLanguage }) {
        if (!deps.mailer.canSend()) return noMail
        if (deps.passwordRule() === 'nobody') return passwordsOff
        const refused = await limit.count(ip)
        if (refused) return refused
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
  deps: OneTimeLinkDeps,
  address: string,
  acceptLanguage: string,
): Promise<void> {
  const { db, now, throttle, passwordRule, log } = deps
  const account = await findAccountByEmail(db, address)
  const mayHave = account?.hasPassword && !account.suspendedAt
  if (!mayHave || !allowsPassword(passwordRule(), account.isAdmin)) return
  const { max, seconds } = ofAddress
  if (!(await throttle(`link to ${account.id}`, max, seconds)).allowed) return
  const { secret } = await makeOneTimeLink(db, account, now)
  const refused = await send(deps, account, secret, { texts: mailTexts.asked, acceptLanguage })
  if (refused) log.warn('A link to a new password could not be mailed', { why: refused.detail })
}

/** Mails a link that an admin made, in the language of the admin. Resolves to why it was not mailed. */
async function mailMade(
  deps: OneTimeLinkDeps,
  accountId: number,
  secret: string,
  acceptLanguage: string,
): Promise<Refusal | undefined> {
  const account = await findAccount(deps.db, accountId)
  if (!account) return noSuchAccount
  const texts = account.hasPassword ? mailTexts.renewed : mailTexts.invited
  return send(deps, account, secret, { texts, acceptLanguage })
}

async function send(
  { mailer, dashboardUrl, chooseLanguage }: OneTimeLinkDeps,
  { email }: Pick<Account, 'email'>,
  secret: string,
  {
    texts: { subject, text },
    acceptLanguage,
  }: { readonly texts: LinkMail; readonly acceptLanguage: string },
): Promise<Refusal | undefined> {
  const language = chooseLanguage(acceptLanguage)
  const say = (texts: Texts) => language.say(texts) ?? texts.en
  return mailer.send({
    to: email,
    subject: say(subject),
    text: `${say(text)}\n\n${urlOfOneTimeLink(dashboardUrl, secret)}\n`,
  })
}

interface LinkMail {
  readonly subject: Texts
  readonly text: Texts
}

const newPasswordSubject = {
  en: 'A new password',
  de: 'Ein neues Passwort',
  fr: 'Un nouveau mot de passe',
  es: 'Una contraseña nueva',
}

const mailTexts = {
  asked: {
    subject: newPasswordSubject,
    text: {
      en: 'Somebody asked for a new password for your account. If it was you, open this link within a day. If not, do nothing: your password stays as it is.',
      de: 'Jemand möchte ein neues Passwort für dein Konto. Wenn du das warst, öffne innerhalb eines Tages diesen Link. Wenn nicht, tu nichts: Dein Passwort bleibt, wie es ist.',
      fr: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte. Si c’était vous, ouvrez ce lien dans la journée. Sinon, ne faites rien : votre mot de passe reste le même.',
      es: 'Alguien pidió una contraseña nueva para tu cuenta. Si fuiste tú, abre este enlace en el plazo de un día. Si no, no hagas nada: tu contraseña sigue igual.',
    },
  },
  renewed: {
    subject: newPasswordSubject,
    text: {
      en: 'An admin sends you this link, with which you choose a new password for your account. It works once, within a day. Until then your password stays as it is.',
      de: 'Ein Admin schickt dir diesen Link, mit dem du ein neues Passwort für dein Konto wählst. Er gilt einmal, innerhalb eines Tages. Bis dahin bleibt dein Passwort, wie es ist.',
      fr: 'Un admin vous envoie ce lien, qui sert à choisir un nouveau mot de passe pour votre compte. Il fonctionne une fois, dans la journée. D’ici là, votre mot de passe reste le même.',
      es: 'Un admin te envía este enlace, con el que eliges una contraseña nueva para tu cuenta. Funciona una vez, en el plazo de un día. Hasta entonces tu contraseña sigue igual.',
    },
  },
  invited: {
    subject: {
      en: 'You are invited',
      de: 'Du bist eingeladen',
      fr: 'Vous êtes invité',
      es: 'Tienes una invitación',
    },
    text: {
      en: 'An admin has made an account for you, to make short links with. Open this link within seven days and choose a password. It works once.',
      de: 'Ein Admin hat ein Konto für dich angelegt, mit dem du kurze Links anlegst. Öffne innerhalb von sieben Tagen diesen Link und wähle ein Passwort. Er gilt einmal.',
      fr: 'Un admin a créé pour vous un compte qui sert à faire des liens courts. Ouvrez ce lien dans les sept jours et choisissez un mot de passe. Il fonctionne une fois.',
      es: 'Un admin ha creado una cuenta para ti, con la que haces enlaces cortos. Abre este enlace en el plazo de siete días y elige una contraseña. Funciona una vez.',
    },
  },
}

const noMail = refuse('mail_off', 'No running plugin sends mail.', 409)
