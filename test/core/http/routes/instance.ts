import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { contract } from '../../../../config/contract.ts'
import { deleteAccount, type Objection } from '../../../../core/accounts/access/change-account.ts'
import { createConfirmPassword } from '../../../../core/accounts/access/confirm-password.ts'
import { createCredentials } from '../../../../core/accounts/access/credentials.ts'
import { createFirstSteps } from '../../../../core/accounts/access/first-steps.ts'
import { createOneTimeLinks } from '../../../../core/accounts/access/one-time-links.ts'
import { createSecondSteps } from '../../../../core/accounts/access/second-steps.ts'
import { openSession } from '../../../../core/accounts/access/sessions/sessions.ts'
import { createSetUp } from '../../../../core/accounts/access/set-up.ts'
import { createSignIn } from '../../../../core/accounts/access/sign-in.ts'
import type { Account, SignedIn } from '../../../../core/accounts/account.ts'
import { profileSchema } from '../../../../core/accounts/profile.ts'
import { createSessionCookie } from '../../../../core/http/api/access/session-cookie.ts'
import { createChooseLanguage } from '../../../../core/http/pages/choose-language.ts'
import { accountRoutes } from '../../../../core/http/routes/accounts/account-routes.ts'
import { handOverRoutes } from '../../../../core/http/routes/accounts/hand-over-routes.ts'
import {
  ownPasswordRoutes,
  profileRoutes,
} from '../../../../core/http/routes/accounts/profile-routes.ts'
import { suspensionRoutes } from '../../../../core/http/routes/accounts/suspension-routes.ts'
import { featureRoutes } from '../../../../core/http/routes/feature-routes.ts'
import { planRoutes } from '../../../../core/http/routes/plan-routes.ts'
import { oneTimeLinkRoutes } from '../../../../core/http/routes/sign-in/one-time-link-routes.ts'
import {
  ownSessionRoutes,
  sessionRoutes,
} from '../../../../core/http/routes/sign-in/session-routes.ts'
import { setUpRoutes } from '../../../../core/http/routes/sign-in/set-up-routes.ts'
import { createThrottle } from '../../../../core/limits/throttle.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { createEntitlements } from '../../../../core/settings/entitlements.ts'
import {
  callerOf,
  openTestDb,
  patientGuesses,
  rememberingLog,
  stoppedClock,
  testEntitlements,
  testTokens,
} from '../../accounts/fixtures.ts'
import { serve } from '../serve.ts'

/** Everything of accounts and plans over real HTTP, on a database of its own. */
export async function anInstance(given: Partial<Parameters<typeof createEntitlements>[0]> = {}) {
  const db = await openTestDb()
  const clock = stoppedClock()
  const { now } = clock
  const entitlements = testEntitlements(given)
  const cookie = createSessionCookie({ secure: false })
  const logged: object[] = []
  const checkGuess = patientGuesses(async (event, details) => {
    logged.push({ event, ...details })
  })
  const confirm = createConfirmPassword(db, checkGuess, now)
  const setUp = createSetUp({ db, now, checkGuess })
  const oneTimeLinks = createOneTimeLinks({ db, now, checkGuess })
  const tokens = testTokens(db, now)
  const forgotten: number[] = []
  const client = { ip: '192.0.2.1' }
  const credentials = {
    ...createCredentials({
      db,
      entitlements,
      feature: 'developer.apiKeys',
      now,
      log: rememberingLog(),
    }),
    act: <T>(_: unknown, work: () => T) => work(),
    cookie: cookie.name,
    origins: ['https://go.example'],
  }
  const account = {
    db,
    now,
    confirm,
    deleteAccount: (id: number, object: Objection) => deleteAccount(db, id, now, object),
    forgetLinks: (id: number) => forgotten.push(id),
    handOver: async () => undefined,
    links: { shortUrls: { read: () => [] } },
    renewLinks: async (ids: readonly number[]) => void forgotten.push(...ids),
    entitlements,
    oneTimeLinks,
  }
  const counts = { tagsCount: 3, campaignsCount: 2 }
  const answer = z.strictObject({ data: profileSchema(contract) })
  const profile = { ...account, answer, counts: async () => counts }
  const hooks = { stepsOf: () => [], neededBy: () => [] }
  const secret = randomBytes(32)
  const steps = createSecondSteps({ db, now, secret, checkGuess, log: rememberingLog(), hooks })
  const allows = { all: () => [], steps, mayUsePassword: () => true }
  const firstSteps = createFirstSteps({ db, now, secret, checkGuess, ...allows })
  const chooseLanguage = createChooseLanguage()
  const newAccountUrl = () => null
  const mailer = { canSend: () => false, send: async () => undefined }
  const more = {
    mailer,
    newAccountUrl,
    throttle: createThrottle(),
    dashboardUrl: 'https://go.example',
    log: rememberingLog(),
  }
  const rule = { ...more, providers: () => [], passwordRule: () => 'everybody' as const }
  const session = { ...profile, cookie, steps, firstSteps, chooseLanguage, ...rule }
  const { call } = await serve(
    [
      ...profileRoutes(profile),
      ...sessionRoutes({ ...session, credentials, signIn: createSignIn(db, checkGuess) }),
      ...ownPasswordRoutes(session),
      ...ownSessionRoutes({ db, now }),
      ...setUpRoutes({ ...session, setUp }),
      ...accountRoutes(account),
      ...suspensionRoutes(account),
      ...handOverRoutes(account),
      ...oneTimeLinkRoutes(session),
      ...planRoutes({ ...account, contract }),
      ...featureRoutes({ entitlements, contract }),
    ],
    { credentials, confirm, clientAddress: () => client.ip },
  )

  async function send(method: string, path: string, options: Options = {}) {
    const response = await call(`/api/v1${path}`, {
      method,
      headers: {
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(options.session && { cookie: `${cookie.name}=${options.session}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        'sec-fetch-site': 'same-origin',
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    db,
    clock,
    client,
    entitlements,
    setUp,
    forgotten,
    /** What of guesses would be in the log. */
    logged,
    send,
    async tokenOf(of: Account, scopes: readonly string[] = ['*']): Promise<string> {
      const caller: SignedIn = callerOf(of, { isAdmin: true })
      const made = await tokens.create(caller, { name: 'Test', scopes, expiresAt: null })
      if (isRefusal(made)) throw new Error(made.detail)
      return made.token
    },
    sessionOf: (of: Account) => openSession(db, of.id, now),
  }
}

interface Options {
  readonly token?: string
  readonly session?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
