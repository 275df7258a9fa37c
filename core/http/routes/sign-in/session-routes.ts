import { z } from 'zod'
import { isByFirstStep } from '../../../accounts/access/confirm-password.ts'
import type { NamedFirstStep } from '../../../accounts/access/first-steps.ts'
import {
  closeSession,
  endSession,
  listSessions,
  sessionId,
} from '../../../accounts/access/sessions/sessions.ts'
import { isSetUp } from '../../../accounts/access/set-up.ts'
import { allowsPassword, type SignIn } from '../../../accounts/access/sign-in.ts'
import { deleteTokens, listTokens } from '../../../accounts/access/token-rows.ts'
import { findAccount } from '../../../accounts/accounts.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import { readPublicId } from '../../../lib/public-id.ts'
import { isRefusal, notFound, refuse } from '../../../plugin/outcomes.ts'
import type { Mailer, PasswordRule } from '../../../plugin.ts'
import type { Credentials } from '../../api/access/identify.ts'
import { always, forAdmins, type Route, route } from '../../api/route/route.ts'
import type { ProfileDeps } from '../accounts/profile-routes.ts'
import { noSuchAccount, rowOfAccount } from '../accounts/shown-account.ts'
import { passwordsOff, type SignedInDeps, signInOrAsk } from './answer-signed-in.ts'
import { leaveUrlOf, type ProviderDeps, shownProviders } from './provider-routes.ts'

interface SessionDeps extends SignedInDeps {
  readonly credentials: Pick<Credentials, 'bySession'>
  readonly signIn: SignIn
  readonly providers: ProviderDeps['providers']
  readonly passwordRule: () => PasswordRule
  readonly mailer: Pick<Mailer, 'canSend'>
  /** Where visitors make accounts; null if nowhere. */
  readonly newAccountUrl: () => string | null
}

const credentials = z.strictObject({
  email: z.string().max(254),
  password: z.string().max(1_000),
})

const state = z.strictObject({
  isSetUp: z.boolean().meta({ description: 'False: create the first admin with `POST /setup`.' }),
  isSignedIn: z.boolean(),
  passwords: z
    .enum(['everybody', 'admins', 'nobody'])
    .meta({ description: 'Who may sign in by password.' }),
  providers: z
    .array(
      z.strictObject({
        feature: z.string(),
        name: z.string(),
        label: z.string().meta({ examples: ['Company account'] }),
        url: z.string().meta({ description: 'A browser that goes there is sent to the provider.' }),
      }),
    )
    .meta({ description: 'Other servers where you can sign in.' }),
  firstSteps: z
    .array(
      z.strictObject({
        feature: z.string(),
        name: z.string(),
        label: z.string().meta({ examples: ['a passkey'] }),
      }),
    )
    .meta({
      description:
        'What signs you in without a password: ask for its question with `POST /session/ask`.',
    }),
  asksPassword: z.boolean().meta({
    description:
      'Whether what changes much asks this session for the password. False where a fresh sign-in takes its place, and for nobody.',
  }),
  mailsLinks: z.boolean().meta({
    description: 'Whether `POST /one-time-link/ask` mails a link to a new password.',
  }),
  newAccountUrl: z
    .string()
    .nullable()
    .meta({ description: 'Where visitors make accounts; null if they cannot.' }),
  leaveUrl: z.string().nullable().meta({
    description: 'Where to send the browser once you signed out here, to sign out there, too.',
  }),
})

const stateAnswer = z.strictObject({ data: state })

/** Signing in to the dashboard, and out. */
export function sessionRoutes(deps: SessionDeps): readonly Route[] {
  return [
    route('GET /session', {
      name: 'session.show',
      group: 'Session',
      summary: 'Show whether this instance is set up and whether you are signed in',
      scope: 'anyone',
      answer: stateAnswer,
      async handle({ session, acceptLanguage }) {
        const caller = session ? await deps.credentials.bySession(session) : undefined
        const providers = shownProviders(deps.providers(), acceptLanguage)
        const isSignedIn = Boolean(caller)
        const passwords = deps.passwordRule()
        const leaveUrl = leaveUrlOf(deps.providers(), caller ? caller.methods : [])
        const isReady = await isSetUp(deps.db)
        const mailsLinks = passwords !== 'nobody' && deps.mailer.canSend()
        const shown = { isSetUp: isReady, isSignedIn, passwords, providers, mailsLinks, leaveUrl }
        const data = {
          ...shown,
          asksPassword:
            caller?.account.hasPassword === true &&
            allowsPassword(passwords, caller.isAdmin) &&
            !isByFirstStep(caller),
          firstSteps:
            passwords === 'nobody' ? [] : shownSteps(deps.firstSteps.all(), acceptLanguage),
          newAccountUrl: passwords === 'everybody' ? deps.newAccountUrl() : null,
        }
        return { body: { data } }
      },
    }),
    route('POST /session', {
      name: 'session.create',
      group: 'Session',
      summary: 'Sign in with e-mail address and password',
      scope: 'anyone',
      body: credentials,
      answer: deps.answer,
      status: 201,
      rateLimit: ({ ip, body }) => deps.signIn.left(body?.email ?? '', clientKey(ip)),
      async handle({ body: { email, password }, ...browser }) {
        const account = await deps.signIn(email, password, clientKey(browser.ip))
        if (isRefusal(account)) return account
        // Said to nobody who does not know the password.
        if (!allowsPassword(deps.passwordRule(), account.isAdmin)) return passwordsOff
        return signInOrAsk(deps, account, browser)
      },
    }),
    route('DELETE /session', {
      name: 'session.destroy',
      group: 'Session',
      summary: 'Sign out',
      scope: 'anyone',
      status: 204,
      async handle({ session }) {
        if (session) await closeSession(deps.db, session, deps.now)
        return { headers: { 'Set-Cookie': deps.cookie.drop } }
      },
    }),
  ]
}

function shownSteps(steps: readonly NamedFirstStep[], acceptLanguage: string) {
  return steps.map(({ feature, name, button }) => ({
    ...{ feature, name, label: button(acceptLanguage) },
  }))
}

const sessionSchema = z.strictObject({
  id: z.string(),
  createdAt: z.iso.datetime(),
  methods: z.array(z.string()).meta({
    description:
      'How you were proven to be who you are: words of RFC 8176, such as `pwd` and `otp`.',
    examples: [['pwd', 'otp']],
  }),
  authenticatedAt: z.iso.datetime().meta({ description: 'When that was last proven.' }),
  lastSeenAt: z.iso.datetime().meta({ description: 'When it was last used, to the minute.' }),
  isCurrent: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
})

const shared = { group: 'Session', scope: '*' } as const

const sessionsAnswer = z.strictObject({ data: z.array(sessionSchema) })

/** Where the caller is signed in. Browsers are not named: no user agent is ever kept. */
export function ownSessionRoutes({ db, now }: Pick<ProfileDeps, 'db' | 'now'>): readonly Route[] {
  return [
    route('GET /sessions', {
      ...shared,
      name: 'sessions.list',
      summary: 'List your sessions, newest first',
      answer: sessionsAnswer,
      async handle({ caller, session }) {
        const isBySession = caller.credential === 'session' && session !== undefined
        const current = isBySession ? sessionId(session) : undefined
        const sessions = await listSessions(db, caller.accountId, now)
        const data = sessions.map(it => ({ ...it, isCurrent: it.id === current }))
        return { body: { data } }
      },
    }),
    route('DELETE /sessions/:id', {
      ...shared,
      name: 'sessions.destroy',
      summary: 'End one of your sessions',
      status: 204,
      async handle({ caller, params: { id = '' } }) {
        const ended = await endSession(db, caller.accountId, id, now)
        return ended ? {} : refuse('not_found', 'You do not have this session.', 404)
      },
    }),
  ]
}

const shownSessions = z.strictObject({ data: z.array(sessionSchema.omit({ isCurrent: true })) })
const tokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  tokenPrefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
})
const shownTokens = z.strictObject({ data: z.array(tokenSchema) })

const listed = { ...forAdmins, problems: [404] } as const
const ended = { ...listed, status: 204, asksPassword: always } as const

/** How accounts get in now, for admins: they see the sessions and API tokens of each, and end them. */
export function accountAccessRoutes({
  db,
  now,
}: Pick<ProfileDeps, 'db' | 'now'>): readonly Route[] {
  const accountOf = (id: string | undefined) => findAccount(db, rowOfAccount(id))
  return [
    route('GET /admin/accounts/:id/sessions', {
      ...listed,
      name: 'accounts.sessions',
      summary: 'List the sessions of an account, newest first',
      answer: shownSessions,
      async handle({ params }) {
        const account = await accountOf(params.id)
        if (!account) return noSuchAccount
        return { body: { data: await listSessions(db, account.id, now) } }
      },
    }),
    route('DELETE /admin/accounts/:id/sessions/:session', {
      ...ended,
      name: 'accounts.endSession',
      summary: 'End a session of an account',
      async handle({ params: { id, session = '' } }) {
        const isEnded = await endSession(db, rowOfAccount(id), session, now)
        return isEnded ? {} : notFound
      },
    }),
    route('GET /admin/accounts/:id/api-tokens', {
      ...listed,
      name: 'accounts.tokens',
      summary: 'List the API tokens of an account, newest first',
      answer: shownTokens,
      async handle({ params }) {
        const account = await accountOf(params.id)
        if (!account) return noSuchAccount
        return { body: { data: await listTokens(db, account.id) } }
      },
    }),
    route('DELETE /admin/accounts/:id/api-tokens/:token', {
      ...ended,
      name: 'accounts.revokeToken',
      summary: 'Revoke an API token of an account',
      async handle({ params: { id, token = '' } }) {
        const rowId = readPublicId('tok', token) ?? 0
        const revoked = await deleteTokens(db, now(), all =>
          all.where('account_id', '=', rowOfAccount(id)).where('id', '=', rowId),
        )
        return revoked > 0 ? {} : notFound
      },
    }),
  ]
}
