import { z } from 'zod'
import {
  closeSession,
  endSession,
  listSessions,
  sessionId,
} from '../../accounts/access/sessions.ts'
import { isSetUp } from '../../accounts/access/set-up.ts'
import { allowsPassword, type SignIn } from '../../accounts/access/sign-in.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import type { PasswordRule } from '../../plugin.ts'
import type { Credentials } from '../api/access/identify.ts'
import { type Route, route } from '../api/route/route.ts'
import { type SignedInDeps, signInOrAsk } from './answer-signed-in.ts'
import type { ProfileDeps } from './profile-routes.ts'
import { type ProviderDeps, shownProviders } from './provider-routes.ts'

interface SessionDeps extends SignedInDeps {
  readonly credentials: Pick<Credentials, 'bySession'>
  readonly signIn: SignIn
  readonly providers: ProviderDeps['providers']
  readonly passwordRule: () => PasswordRule
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
        const caller = session && (await deps.credentials.bySession(session))
        const providers = shownProviders(deps.providers(), acceptLanguage)
        const isSignedIn = Boolean(caller)
        const passwords = deps.passwordRule()
        const data = { isSetUp: await isSetUp(deps.db), isSignedIn, passwords, providers }
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

const passwordsOff = refuse(
  'passwords_off',
  'This account does not sign in by password here. Sign in by one of the other servers.',
  403,
)

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
