import { z } from 'zod'
import { accountOf } from '../../../accounts/access/identities.ts'
import { invalidLink, type OneTimeLinks } from '../../../accounts/access/one-time-links.ts'
import type { Failed } from '../../../accounts/access/second-steps.ts'
import { spendTicket } from '../../../accounts/access/sessions/used-tickets.ts'
import type { SignedIn } from '../../../accounts/account.ts'
import { digest, isSame, randomSecret } from '../../../accounts/digest.ts'
import type { NamedProvider } from '../../../kernel/hooks/sign-in-hooks.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import { parseUrl } from '../../../lib/net/parse-url.ts'
import { createTickets } from '../../../lib/tickets.ts'
import { createLimit, type Throttle } from '../../../limits/throttle.ts'
import type { Json } from '../../../plugin/fields.ts'
import { isRefusal, notFound, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Identified, Log, Site } from '../../../plugin.ts'
import { defaultPlan } from '../../../settings/plan.ts'
import type { Credentials } from '../../api/access/identify.ts'
import { createAwayCookie } from '../../api/access/session-cookie.ts'
import { type Call, type Reply, type Route, route } from '../../api/route/route.ts'
import { keepSession, type SignedInDeps } from './answer-signed-in.ts'

export interface ProviderDeps extends SignedInDeps {
  readonly credentials: Pick<Credentials, 'bySession'>
  readonly oneTimeLinks: Pick<OneTimeLinks, 'open' | 'left'>
  /** Those that are on. */
  readonly providers: () => readonly NamedProvider[]
  readonly throttle: Throttle
  readonly dashboardUrl: string
  readonly secret: Buffer
  readonly log: Log
  /** The site where people sign in; undefined if no plugin has one. */
  readonly site: Site | undefined
  /** Has links follow what changed about accounts, such as a plan. */
  renewLinks(accountIds: readonly number[]): Promise<void>
}

/** What a browser carries while it is away. */
interface Away {
  readonly provider: string
  readonly state: string
  readonly keep: Json
  readonly next: string | undefined
  /** The public id of the session that is proven again. */
  readonly session: string | undefined
  /** The digest of the invitation that is accepted. */
  readonly invitation?: string
}

const lifeMs = 10 * 60_000
/** How sessions say that a provider proved it. */
const elsewhere = 'fed'

/** What a browser carries must fit into a cookie of 4 KiB, in characters. */
const maxPath = 1_000

/** Longer than a provider may take, and the steps after it. */
const answerMs = 20_000
/** Of one client, which may be all people of a company on a Monday morning. */
const attempts = { max: 300, seconds: 60 }
const redirects = { group: 'Session', scope: 'anyone', status: 303, answerMs } as const

const accepted = z.strictObject({
  secret: z.string().max(100).meta({ description: 'What follows the `#` of the link.' }),
  feature: z.string().max(200),
  name: z.string().max(200),
})

const beginQuery = z.strictObject({
  next: z.string().max(2_000).optional().meta({
    description:
      'The path to go on to, such as `/dashboard/links`. One of another site is ignored.',
  }),
  proof: z.literal('1').optional().meta({
    description: 'Proves again who is at the session, in place of signing in.',
  }),
})

/** Signing in at another server: there and back. */
export function providerRoutes(deps: ProviderDeps): readonly Route[] {
  const { db, now, secret, dashboardUrl, log, steps, credentials } = deps
  const tickets = createTickets<Away>({ secret, purpose: 'away', lifeMs, now })
  const cookie = createAwayCookie({ secure: dashboardUrl.startsWith('https:') })
  const pages = pagesOf(deps.site, dashboardUrl)
  const limit = createLimit(deps.throttle, attemptsOf, attempts)

  const find = ({ feature, name }: { readonly feature?: string; readonly name?: string }) =>
    deps.providers().find(it => it.feature === feature && it.name === name)

  /** Where to send the browser, and the cookie that it comes back with. */
  async function begin(provider: NamedProvider, ip: string, more: Partial<Away>) {
    const refused = await limit.count(ip)
    if (refused) return refused
    const { next, session, invitation } = more
    const state = randomSecret()
    const isProof = session !== undefined
    const sent = await provider.begin({ returnUrl: pages.back(provider), state, isProof })
    if (sent === 'failed' || isRefusal(sent)) return refusalOf(sent)
    const { redirect, keep = null } = sent
    const carried = { provider: nameOf(provider), state, keep, next, session }
    const ticket = tickets.make({ ...carried, ...(invitation && { invitation }) })
    return { redirect, headers: { 'Set-Cookie': cookie.keep(ticket, lifeMs / 1_000) } }
  }

  /** Nobody is signed in: the page where people sign in says why, by the code alone. */
  function back({ code: problem }: Refusal, next?: string): Reply {
    return away(pages.signIn({ problem, next }), { 'Set-Cookie': cookie.drop })
  }

  async function callerOf({ session }: Pick<Call, 'session'>): Promise<SignedIn | undefined> {
    return session === undefined ? undefined : credentials.bySession(session)
  }

  /** What the browser carried, if it began this very attempt. Nobody comes back twice. */
  async function takeTicket(provider: NamedProvider, call: Call, state: string | undefined) {
    const ticket = tickets.read(call.cookie(cookie.name) ?? '')
    const isTheirs =
      state !== undefined &&
      ticket?.content.provider === nameOf(provider) &&
      isSame(ticket.content.state, state)
    return isTheirs && (await spendTicket(db, ticket, now)) ? ticket.content : undefined
  }

  async function signIn(who: Identified, taken: Away, call: Call): Promise<Reply> {
    const { next, session, invitation } = taken
    const plans = [who.set?.plan, who.create?.plan].filter(it => it !== undefined)
    const plan = plans.find(it => !deps.entitlements.findPlan(it))
    if (plan !== undefined) {
      log.error('A provider named a plan that does not exist', { provider: taken.provider, plan })
      return back(failed, next)
    }
    // Nobody gets an account by proving who they are.
    const { issuer, subject, session: provided } = who
    const named = session === undefined ? who : { issuer, subject }
    const found = await accountOf(db, named, { now, usualPlan: defaultPlan, invitation })
    if (isRefusal(found)) return back(found, next)
    const { account, isMoved } = found
    if (isMoved) await deps.renewLinks([account.id])
    const caller = session === undefined ? undefined : await callerOf(call)
    const isSame = caller?.credentialId === session && caller?.accountId === account.id
    if (session !== undefined && !isSame) return back(otherAccount, next)
    const methods = [elsewhere, ...(who.methods ?? [])]
    const provider = { issuer, subject, ...(provided !== undefined && { session: provided }) }
    const due = await steps.begin(account, { methods, session, provider })
    if (isRefusal(due)) return back(due, next)
    if (due.kind === 'due') return away(pages.signIn({ next }, due.ticket))
    const headers = await keepSession(deps, due, call.session)
    return isRefusal(headers) ? back(headers, next) : away(next ?? pages.home, headers)
  }

  return [
    route('GET /session/with/:feature/:name', {
      ...redirects,
      name: 'session.with',
      summary: 'Send the browser to a provider, to sign in there',
      query: beginQuery,
      problems: [404],
      rateLimit: ({ ip }) => limit.left(ip),
      async handle(call) {
        const provider = find(call.params)
        if (!provider) return notFound
        const next = pages.here(call.query.next)
        const caller = call.query.proof ? await callerOf(call) : undefined
        if (call.query.proof && !caller) return back(notSignedIn, next)
        const sent = await begin(provider, call.ip, { next, session: caller?.credentialId })
        if (!isRefusal(sent)) return away(sent.redirect, sent.headers)
        return sent.status === 429 ? sent : back(sent, next)
      },
    }),
    route('POST /one-time-link/accept', {
      group: 'Session',
      scope: 'anyone',
      name: 'oneTimeLink.accept',
      summary: 'Accept an invitation by a provider, which signs its account in from then on',
      body: accepted,
      answer: z.strictObject({
        data: z.strictObject({
          url: z.string().meta({ description: 'Where to send the browser.' }),
        }),
      }),
      problems: [403, 404, 502],
      answerMs,
      rateLimit: ({ ip }) => deps.oneTimeLinks.left(clientKey(ip)),
      async handle({ ip, body }) {
        const account = await deps.oneTimeLinks.open(body.secret, clientKey(ip))
        if (isRefusal(account)) return account
        if (account.hasPassword) return invalidLink
        const provider = find(body)
        if (!provider) return notFound
        const sent = await begin(provider, ip, { invitation: digest(body.secret) })
        if (isRefusal(sent)) return sent
        return { body: { data: { url: sent.redirect } }, headers: sent.headers }
      },
    }),
    route('GET /session/from/:feature/:name', {
      ...redirects,
      name: 'session.from',
      summary: 'Where a provider sends the browser back to',
      query: z.record(z.string(), z.unknown()),
      describedQuery: z.strictObject({
        state: z.string().meta({ description: 'The one that the provider was sent.' }),
      }),
      problems: [404],
      async handle(call) {
        const provider = find(call.params)
        if (!provider) return notFound
        const query = firstValues(call.search)
        const taken = await takeTicket(provider, call, query.state)
        if (!taken) return back(expired)
        const returnUrl = pages.back(provider)
        const who = await provider.finish({ query, keep: taken.keep, returnUrl })
        if (who === 'failed' || isRefusal(who)) return back(refusalOf(who), taken.next)
        return signIn(who, taken, call)
      },
    }),
    route('GET /session/leave/:feature/:name', {
      ...redirects,
      name: 'session.leave',
      summary: 'Send the browser to a provider after signing out here, to sign out there, too',
      problems: [404],
      async handle(call) {
        const provider = find(call.params)
        if (!provider?.leave) return notFound
        const signInPage = pages.signIn({})
        const left = { returnUrl: `${dashboardUrl}${signInPage}` }
        const sent = (await limit.count(call.ip)) ? undefined : await provider.leave(left)
        return away(sent === undefined || sent === 'failed' ? signInPage : sent.redirect)
      },
    }),
  ]
}

/** The providers, as a sign-in page shows them. */
export function shownProviders(providers: readonly NamedProvider[], acceptLanguage: string) {
  return providers.map(({ feature, name, label }) => ({
    ...{ feature, name, label: label(acceptLanguage) },
    url: `/api/v1/session/with/${feature}/${name}`,
  }))
}

/** Where a browser goes after signing out of a session that was proven by `methods`; null if it stays. */
export function leaveUrlOf(
  providers: readonly NamedProvider[],
  methods: readonly string[] = [],
): string | null {
  const found = methods.includes(elsewhere) && providers.find(({ leave }) => leave)
  return found ? `/api/v1/session/leave/${found.feature}/${found.name}` : null
}

/** Addresses of this instance that a browser is sent to. */
function pagesOf(site: Site | undefined, dashboardUrl: string) {
  const base = new URL(dashboardUrl)
  const home = site ? `/${site.path}/` : '/'
  return {
    home,
    back: (provider: NamedProvider) =>
      `${dashboardUrl}/api/v1/session/from/${provider.feature}/${provider.name}`,
    signIn(said: Readonly<Record<string, string | undefined>>, ticket?: string): string {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(said)) if (value) query.set(name, value)
      const search = query.size > 0 ? `?${query}` : ''
      // What follows a `#` reaches no server and no log.
      return `${home}${site?.signIn ?? ''}${search}${ticket === undefined ? '' : `#ticket=${ticket}`}`
    },
    /** A path, if it cannot be read as one of another site, such as `//example.com` or `/.//example.com`. */
    here(path = ''): string | undefined {
      const url = path.startsWith('/') ? parseUrl(path, base) : undefined
      if (url?.origin !== base.origin || url.pathname.startsWith('//')) return undefined
      const whole = `${url.pathname}${url.search}${url.hash}`
      return whole.length > maxPath ? undefined : whole
    },
  }
}

function away(to: string, headers: Reply['headers'] = {}): Reply {
  return { headers: { Location: to, 'Referrer-Policy': 'no-referrer', ...headers } }
}

/** What a plugin says is shown only if it is a code, because it may have it from the provider. */
function refusalOf(failure: Refusal | Failed): Refusal {
  const isCode = failure !== 'failed' && /^[a-z][a-z0-9_]{0,49}$/.test(failure.code)
  return isCode ? failure : failed
}

const failed = refuse(
  'sign_in_failed',
  'The provider could not be asked, or did not answer as it should.',
  502,
)
const expired = refuse(
  'sign_in_expired',
  'This sign-in took longer than ten minutes, was finished already, or began in another browser.',
  403,
)
const otherAccount = refuse(
  'other_account',
  'The provider named somebody else than the owner of this session.',
  403,
)
const notSignedIn = refuse('unauthenticated', 'Sign in first.', 401)

function firstValues(search: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...new URLSearchParams(search)].reverse())
}

function nameOf({ feature, name }: NamedProvider): string {
  return `${feature} ${name}`
}

function attemptsOf(ip: string): string {
  return `away ${clientKey(ip)}`
}
