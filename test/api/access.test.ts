import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../core/http/api/route/route.ts'
import type { Answer, Harness, Headers } from '../harness.ts'
import { publicId, scopesOf } from '../inside.ts'
import { aPerson, nobody, type Person } from './people.ts'
import { bootAll, plugins } from './whole-instance.ts'

/**
 * Who may call what: the status of each valid request. A new route or scope changes this table.
 *
 * nobody: no credential. expired, revoked: a token that is no longer valid. shut: one of
 * a suspended account. free: a token, then a session, of an
 * account on a plan without API keys. member: a session of an account that is no admin. others: the same, for a
 * thing of another account. scopes: the scopes whose token opens the route; all others get 403.
 */
const expected = `
route                                  nobody  expired revoked shut    free    free    member  others  scopes
GET /admin/accounts                    401     401     401     403     403     403     403             * admin
POST /admin/accounts                   401     401     401     403     403     403     403             * admin
DELETE /admin/accounts/:id             401     401     401     403     403     403     403             * admin
GET /admin/accounts/:id                401     401     401     403     403     403     403             * admin
PATCH /admin/accounts/:id              401     401     401     403     403     403     403             * admin
GET /admin/accounts/:id/api-tokens     401     401     401     403     403     403     403             * admin
DELETE /admin/accounts/:id/api-tokens/:token 401     401     401     403     403     403     403             * admin
POST /admin/accounts/:id/hand-over     401     401     401     403     403     403     403             * admin
GET /admin/accounts/:id/identities     401     401     401     403     403     403     403             * admin
DELETE /admin/accounts/:id/identities/:identity 401     401     401     403     403     403     403             * admin
DELETE /admin/accounts/:id/one-time-link 401     401     401     403     403     403     403             * admin
POST /admin/accounts/:id/one-time-link 401     401     401     403     403     403     403     403     *
POST /admin/accounts/:id/release       401     401     401     403     403     403     403             * admin
GET /admin/accounts/:id/sessions       401     401     401     403     403     403     403             * admin
DELETE /admin/accounts/:id/sessions/:session 401     401     401     403     403     403     403             * admin
POST /admin/accounts/:id/suspend       401     401     401     403     403     403     403             * admin
GET /admin/backups                     401     401     401     403     403     403     403             * admin
POST /admin/backups                    401     401     401     403     403     403     403             * admin
DELETE /admin/backups/:name            401     401     401     403     403     403     403             * admin
GET /admin/backups/:name               401     401     401     403     403     403     403     403     *
POST /admin/backups/:name/download-link 401     401     401     403     403     403     403     403     *
GET /admin/backups/:name/preview       401     401     401     403     403     403     403             * admin
GET /admin/blocked-links               401     401     401     403     403     403     403             * admin
POST /admin/blocked-links/:id/release  401     401     401     403     403     403     403             * admin
GET /admin/brand                       401     401     401     403     403     403     403             * admin
PATCH /admin/brand                     401     401     401     403     403     403     403             * admin
POST /admin/brand/preview              401     401     401     403     403     403     403             * admin
GET /admin/doctor                      401     401     401     403     403     403     403             * admin
GET /admin/domains                     401     401     401     403     403     403     403             * admin
POST /admin/domains                    401     401     401     403     403     403     403             * admin
DELETE /admin/domains/:id              401     401     401     403     403     403     403             * admin
GET /admin/export                      401     401     401     403     403     403     403             * admin
GET /admin/export/static               401     401     401     403     403     403     403             * admin
GET /admin/features                    401     401     401     403     403     403     403             * admin
PATCH /admin/features                  401     401     401     403     403     403     403             * admin
GET /admin/front-page                  401     401     401     403     403     403     403             * admin
PATCH /admin/front-page                401     401     401     403     403     403     403             * admin
GET /admin/instance                    401     401     401     403     403     403     403             * admin
GET /admin/jobs                        401     401     401     403     403     403     403             * admin
POST /admin/jobs/:name/run             401     401     401     403     403     403     403             * admin
GET /admin/plans                       401     401     401     403     403     403     403             * admin
POST /admin/plans                      401     401     401     403     403     403     403             * admin
DELETE /admin/plans/:slug              401     401     401     403     403     403     403             * admin
GET /admin/plans/:slug                 401     401     401     403     403     403     403             * admin
PATCH /admin/plans/:slug               401     401     401     403     403     403     403             * admin
POST /admin/plans/:slug/move-accounts  401     401     401     403     403     403     403             * admin
GET /admin/plugins                     401     401     401     403     403     403     403             * admin
PATCH /admin/plugins/:feature          401     401     401     403     403     403     403             * admin
GET /admin/plugins/index               401     401     401     403     403     403     403             * admin
DELETE /admin/plugins/packages         401     401     401     403     403     403     403             *
GET /admin/plugins/packages            401     401     401     403     403     403     403             * admin
POST /admin/plugins/packages           401     401     401     403     403     403     403             *
GET /admin/plugins/packages/outdated   401     401     401     403     403     403     403             * admin
GET /admin/sign-ups                    401     401     401     403     403     403     403             * admin
GET /admin/sign-ups/state              401     401     401     403     403     403     403             * admin
GET /analytics                         401     401     401     403     403     200     200             * analytics:read analytics:write
GET /analytics.csv                     401     401     401     403     403     200     200             * analytics:read analytics:write
GET /analytics/links                   401     401     401     403     403     200     200             * analytics:read analytics:write
GET /analytics/links.csv               401     401     401     403     403     200     200             * analytics:read analytics:write
GET /analytics/live                    401     401     401     403     403     200     200             * analytics:read analytics:write
GET /annotations                       401     401     401     403     403     200     200             * analytics:read analytics:write
POST /annotations                      401     401     401     403     403     201     201             * analytics:write
DELETE /annotations/:id                401     401     401     403     403     204     204     404     * analytics:write
GET /annotations/:id                   401     401     401     403     403     200     200     404     * analytics:read analytics:write
PATCH /annotations/:id                 401     401     401     403     403     200     200     404     * analytics:write
GET /api-tokens                        401     401     401     403     403     200     200             * api-tokens:read api-tokens:write
POST /api-tokens                       401     401     401     403     403     403     201             * api-tokens:write
DELETE /api-tokens/:id                 401     401     401     403     403     204     204     404     * api-tokens:write
GET /api-tokens/:id                    401     401     401     403     403     200     200     404     * api-tokens:read api-tokens:write
PATCH /api-tokens/:id                  401     401     401     403     403     403     200     404     * api-tokens:write
GET /audit-log                         401     401     401     403     403     403     403             * admin
GET /audit-log/file                    401     401     401     403     403     403     403             * admin
GET /campaigns                         401     401     401     403     403     200     200             * campaigns:read campaigns:write
POST /campaigns                        401     401     401     403     403     201     201             * campaigns:write
DELETE /campaigns/:id                  401     401     401     403     403     204     204     404     * campaigns:write
GET /campaigns/:id                     401     401     401     403     403     200     200     404     * campaigns:read campaigns:write
PATCH /campaigns/:id                   401     401     401     403     403     200     200     404     * campaigns:write
GET /campaigns/:id/analytics           401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /campaigns/:id/analytics.csv       401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /campaigns/:id/analytics/links     401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /campaigns/:id/analytics/links.csv 401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /campaigns/:id/analytics/live      401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /code-rules                        401     401     401     403     403     200     200             * links:read links:write
POST /code-rules                       401     401     401     403     403     422     422             * code-rules:write
GET /domains                           401     401     401     403     403     200     200             * domains:read domains:write
POST /domains                          401     401     401     403     403     403     201             * domains:write
DELETE /domains/:id                    401     401     401     403     403     204     204     404     * domains:write
GET /domains/:id                       401     401     401     403     403     200     200     404     * domains:read domains:write
PATCH /domains/:id                     401     401     401     403     403     403     200     404     * domains:write
POST /domains/:id/verify               401     401     401     403     403     403     409     404     * domains:write
GET /domains/shared                    401     401     401     403     403     200     200             * domains:read domains:write
GET /export                            401     401     401     403     403     200     200             *
GET /export/static                     401     401     401     403     403     200     200             *
GET /identities                        401     401     401     403     403     200     200             *
DELETE /identities/:id                 401     401     401     403     403     404     404     404     no token
GET /imports                           401     401     401     403     403     200     200             * links:read links:write
POST /imports                          401     401     401     403     403     422     422             * links:write
DELETE /imports/:id                    401     401     401     403     403     404     404     404     * links:write
GET /imports/:id                       401     401     401     403     403     404     404     404     * links:read links:write
PUT /imports/:id/file                  401     401     401     403     403     404     404     404     * links:write
GET /imports/:id/report                401     401     401     403     403     404     404     404     * links:read links:write
POST /imports/:id/resume               401     401     401     403     403     404     404     404     * links:write
GET /imports/:id/rows                  401     401     401     403     403     404     404     404     * links:read links:write
GET /imports/sources                   401     401     401     403     403     200     200             * links:write
GET /languages                         200     200     200     200     200     200     200             anyone
GET /languages/:lang                   404     404     404     404     404     404     404     404     anyone
POST /link-history/:id/undo            401     401     401     403     403     404     404     404     * links:write
POST /link-paths/preview               401     401     401     403     403     422     422             * links:read links:write
GET /links                             401     401     401     403     403     200     200             * links:read links:write
POST /links                            401     401     401     403     403     201     201             * links:write
DELETE /links/:id                      401     401     401     403     403     204     204     404     * links:write
GET /links/:id                         401     401     401     403     403     200     200     404     * links:read links:write
PATCH /links/:id                       401     401     401     403     403     200     200     404     * links:write
GET /links/:id/analytics               401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /links/:id/analytics.csv           401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /links/:id/analytics/links         401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /links/:id/analytics/links.csv     401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /links/:id/analytics/live          401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /links/:id/qr                      401     401     401     403     403     200     200     404     * links:read links:write
DELETE /links/:id/qr-look              401     401     401     403     403     204     204     404     * links:write
GET /links/:id/qr-look                 401     401     401     403     403     200     200     404     * links:read links:write
PATCH /links/:id/qr-look               401     401     401     403     403     200     200     404     * links:write
POST /links/:id/restore                401     401     401     403     403     200     200     404     * links:write
POST /links/:id/simulate               401     401     401     403     403     403     200     404     * links:read links:write
GET /links/:link/history               401     401     401     403     403     200     200     404     * links:read links:write
DELETE /links/bulk                     401     401     401     403     403     200     200             * links:write
PATCH /links/bulk                      401     401     401     403     403     200     200             * links:write
POST /links/bulk                       401     401     401     403     403     200     200             * links:write
DELETE /links/by-external-id/:id       401     401     401     403     403     404     404     404     * links:write
GET /links/by-external-id/:id          401     401     401     403     403     404     404     404     * links:read links:write
PUT /links/by-external-id/:id          401     401     401     403     403     422     422     422     * links:write
GET /links/deleted                     401     401     401     403     403     200     200             * links:read links:write
DELETE /links/deleted/:id              401     401     401     403     403     404     404     404     * links:write
GET /links/lookup                      401     401     401     403     403     422     422             * links:read links:write
GET /links/short-codes                 401     401     401     403     403     422     422             * links:write
GET /metrics                           401     401     401     403     403     403     403             * metrics:read
GET /notice-settings                   401     401     401     403     403     200     200             * notices:read notices:write
PATCH /notice-settings                 401     401     401     403     403     200     200             * notices:write
POST /notice-settings/test             401     401     401     403     403     409     409             * notices:write
POST /one-time-link/accept             422     422     422     422     422     422     422             anyone
POST /one-time-link/ask                422     422     422     422     422     422     422             anyone
POST /one-time-link/open               422     422     422     422     422     422     422             anyone
POST /one-time-link/use                422     422     422     422     422     422     422             anyone
GET /openapi.json                      200     200     200     200     200     200     200             anyone
GET /plugins                           401     401     401     403     403     200     200             * plugins:read plugins:write
DELETE /profile                        401     401     401     403     403     204     204             *
GET /profile                           401     401     401     403     403     200     200             * profile:read
PATCH /profile                         401     401     401     403     403     200     200             *
PATCH /profile/password                401     401     401     403     403     422     422             *
GET /public-numbers                    401     401     401     403     403     200     200             * analytics:read analytics:write
POST /public-numbers                   401     401     401     403     403     422     422             * analytics:write
DELETE /public-numbers/:id             401     401     401     403     403     204     204     404     * analytics:write
GET /public-numbers/:id                401     401     401     403     403     200     200     404     * analytics:read analytics:write
PATCH /public-numbers/:id              401     401     401     403     403     200     200     404     * analytics:write
DELETE /qr-logo                        401     401     401     403     403     404     404             * links:write
GET /qr-logo                           401     401     401     403     403     404     404             * links:read links:write
POST /qr-logo                          401     401     401     403     403     422     422             * links:write
DELETE /qr-look                        401     401     401     403     403     204     204             * links:write
GET /qr-look                           401     401     401     403     403     200     200             * links:read links:write
PATCH /qr-look                         401     401     401     403     403     200     200             * links:write
POST /qr-sheets                        401     401     401     403     403     422     422             * links:read links:write
GET /saved-searches                    401     401     401     403     403     200     200             * links:read links:write
POST /saved-searches                   401     401     401     403     403     422     422             * links:write
DELETE /saved-searches/:id             401     401     401     403     403     404     404     404     * links:write
GET /saved-searches/:id                401     401     401     403     403     404     404     404     * links:read links:write
PATCH /saved-searches/:id              401     401     401     403     403     404     404     404     * links:write
DELETE /second-factor                  401     401     401     403     403     204     204             no token
GET /second-factor                     401     401     401     403     403     200     200             * profile:read
POST /second-factor                    401     401     401     403     403     200     200             no token
POST /second-factor/confirm            401     401     401     403     403     422     422             no token
GET /second-factor/passkeys            401     401     401     403     403     200     200             * profile:read
POST /second-factor/passkeys           401     401     401     403     403     200     200             no token
DELETE /second-factor/passkeys/:id     401     401     401     403     403     404     404     404     no token
PATCH /second-factor/passkeys/:id      401     401     401     403     403     404     404     404     no token
POST /second-factor/passkeys/confirm   401     401     401     403     403     422     422             no token
POST /second-factor/recovery-codes     401     401     401     403     403     409     409             no token
DELETE /session                        204     204     204     204     204     204     204             anyone
GET /session                           200     200     200     200     200     200     200             anyone
POST /session                          422     422     422     422     422     422     422             anyone
POST /session/ask                      422     422     422     422     422     422     422             anyone
GET /session/from/:feature/:name       404     404     404     404     404     404     404     404     anyone
GET /session/leave/:feature/:name      404     404     404     404     404     404     404     404     anyone
POST /session/proof                    401     401     401     403     403     403     403             no token
POST /session/step                     422     422     422     422     422     422     422             anyone
GET /session/with/:feature/:name       404     404     404     404     404     404     404     404     anyone
GET /sessions                          401     401     401     403     403     200     200             *
DELETE /sessions/:id                   401     401     401     403     403     404     404     404     *
POST /setup                            404     404     404     404     404     404     404             anyone
GET /tags                              401     401     401     403     403     200     200             * tags:read tags:write
POST /tags                             401     401     401     403     403     201     201             * tags:write
DELETE /tags/:id                       401     401     401     403     403     204     204     404     * tags:write
GET /tags/:id                          401     401     401     403     403     200     200     404     * tags:read tags:write
PATCH /tags/:id                        401     401     401     403     403     200     200     404     * tags:write
GET /tags/:id/analytics                401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /tags/:id/analytics.csv            401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /tags/:id/analytics/links          401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /tags/:id/analytics/links.csv      401     401     401     403     403     200     200     404     * analytics:read analytics:write
GET /tags/:id/analytics/live           401     401     401     403     403     200     200     404     * analytics:read analytics:write
POST /test-mails                       401     401     401     403     403     403     403             * mail:write
GET /webhook-deliveries                401     401     401     403     403     200     200             * webhooks:read webhooks:write
GET /webhooks                          401     401     401     403     403     200     200             * webhooks:read webhooks:write
POST /webhooks                         401     401     401     403     403     403     422             * webhooks:write
DELETE /webhooks/:id                   401     401     401     403     403     404     404     404     * webhooks:write
GET /webhooks/:id                      401     401     401     403     403     404     404     404     * webhooks:read webhooks:write
PATCH /webhooks/:id                    401     401     401     403     403     403     404     404     * webhooks:write
GET /webhooks/:id/deliveries           401     401     401     403     403     404     404     404     * webhooks:read webhooks:write
POST /webhooks/:id/replay              401     401     401     403     403     403     422     422     * webhooks:write
POST /webhooks/:id/rotate              401     401     401     403     403     403     404     404     * webhooks:write
POST /webhooks/:id/test                401     401     401     403     403     403     404     404     * webhooks:write
GET /webhooks/:webhookId/deliveries/:id 401     401     401     403     403     404     404     404     * webhooks:read webhooks:write
POST /webhooks/:webhookId/deliveries/:id/redeliver 401     401     401     403     403     403     404     404     * webhooks:write
GET /yourls-signatures                 401     401     401     403     403     200     200             *
POST /yourls-signatures                401     401     401     403     403     403     422             *
DELETE /yourls-signatures/:id          401     401     401     403     403     404     404     404     *
POST /yourls-signatures/:id/reveal     401     401     401     403     403     403     404     404     *
`

/** What a valid request needs; without an entry here, a caller with access gets 422. */
const bodies: Readonly<Record<string, object>> = {
  'PATCH /profile/password': { current_password: 'a guess', new_password: 'correct horse' },
  'PATCH /profile': { fullName: 'Grace Hopper' },
  'POST /links': { original_url: 'https://example.com/' },
  'POST /links/bulk': { links: [{ original_url: 'https://example.com/' }] },
  'PATCH /links/bulk': { ids: ['lnk_nothing'] },
  'DELETE /links/bulk': { ids: ['lnk_nothing'] },
  'POST /annotations': { day: '2026-11-20', text: 'Sale' },
  'POST /tags': { name: 'News' },
  'POST /campaigns': { name: 'Spring' },
  'POST /code-rules': { host: 'links.example.com', grammar: 'wide' },
  'POST /domains': { host: 'links.example.com' },
  'POST /admin/plugins/packages': { package: 'linnet-plugin-hours' },
  'DELETE /admin/plugins/packages': { package: 'linnet-plugin-hours' },
  'POST /api-tokens': { name: 'CI', scopes: ['api-tokens:read'] },
  'POST /setup': { code: 'code', email: 'ada@example.org', password: 'correct horse' },
}

const columns = [
  'route',
  'nobody',
  'expired',
  'revoked',
  'shut',
  'free',
  'free',
  'member',
  'others',
  'scopes',
]

const [head, ...rows] = expected.trim().split('\n')

let linnet: Harness

beforeAll(async () => {
  linnet = await bootAll()
})
afterAll(() => linnet.stop())

it('the API lets everybody in where the table says, and nowhere else', async () => {
  const found: string[] = []
  // Who exports everything does so before much was made.
  const routes = linnet.app.routes.toSorted(
    (one, other) => Number(isExport(other)) - Number(isExport(one)),
  )
  for (const route of routes) found.push(inLine(await rowOf(route)))
  expect(head).toBe(inLine(columns))
  expect(found.sort(byPath)).toEqual(rows)
})

it('whoever may not call is told so before their query and body are judged', async () => {
  const [member, poor] = [await aPerson(linnet), await aPerson(linnet)]
  await poor.moveTo('free')
  const credentials = [
    nobody,
    await member.token(['mail:write']),
    await member.token(),
    await member.session(),
    await poor.session(),
  ]
  for (const route of linnet.app.routes) {
    if (route.scope === 'anyone' || !(route.body ?? route.query)) continue
    const address = addressOf(route)
    const line = lineOf(route)
    const [, , , , , free, session] = line.slice(address.length).trim().split(/ +/)
    const path = `${route.path.replace(/:\w+/g, 'nothing')}?wrong=1`
    const statuses: number[] = []
    for (const credential of credentials) {
      const body = route.body && { wrong: true }
      statuses.push((await linnet.api(route.method, path, body, credential)).status)
    }
    // Sessions may prove who they are; 403 says that what they sent proves nothing.
    const may = (cell?: string) => (cell === '403' && route.path !== '/session/proof' ? 403 : 422)
    const isForSessions = line.endsWith('no token')
    expect([address, ...statuses]).toEqual([
      ...[address, 401, 403, isForSessions ? 403 : may(session), may(session), may(free)],
    ])
  }
})

const isExport = ({ path }: Route) => path.startsWith('/admin/export')
const addressOf = ({ method, path }: Route) => `${method} ${path}`

/** What the table says of a route. */
function lineOf(route: Route): string {
  return rows.find(it => it.startsWith(`${addressOf(route)} `)) ?? ''
}

/** The statuses in the order of the columns. */
async function rowOf(route: Route): Promise<string[]> {
  type Choose = (person: Person) => Headers | Promise<Headers>
  const ask = askFor(route)
  const status = async (choose: Choose, plan?: string) => String((await ask(choose, plan)).status)
  // On a thing of its own: nobody can use the account afterwards.
  const shut = await askFor(route)(person => person.suspendedToken())
  const isOwned = route.path.includes(':') && route.scope !== 'admin'
  return [
    addressOf(route),
    await status(() => nobody),
    await status(person => person.expiredToken()),
    await status(person => person.revokedToken()),
    String(shut.status),
    await status(person => person.token(), 'free'),
    await status(person => person.session(), 'free'),
    await status(person => person.session()),
    isOwned ? await status(async () => (await aPerson(linnet)).session()) : '',
    (await scopesThatOpen(route)).join(' ') || 'no token',
  ]
}

/** Tokens of admins by their one scope, so that only the scope can refuse. */
const tokens = new Map<string, Headers>()

async function scopesThatOpen(route: Route): Promise<readonly string[]> {
  if (route.scope === 'anyone') return ['anyone']
  const opening: string[] = []
  let path: string | undefined
  for (const scope of scopesOf(plugins)) {
    const owner = () => aPerson(linnet, { isAdmin: true })
    path ??= await pathTo(route, await owner())
    const token = tokens.get(scope) ?? (await (await owner()).token([scope]))
    const { status, body } = await call(route, path, token)
    tokens.set(scope, token)
    if (status !== 403) {
      opening.push(scope)
      // The call may have changed the thing or the account.
      path = undefined
      tokens.delete(scope)
    } else if (body.code !== 'session_required')
      expect(body).toMatchObject({ code: 'insufficient_scope', requiredScope: route.scope })
  }
  return opening
}

/** Calls a route on a thing of a new person. Whoever was refused has changed nothing, so the next call is on the same thing. */
function askFor(route: Route) {
  let last: { readonly person: Person; readonly path: string } | undefined
  return async (choose: (person: Person) => Headers | Promise<Headers>, plan = 'unlimited') => {
    const person = last?.person ?? (await aPerson(linnet))
    const path = last?.path ?? (await pathTo(route, person))
    await person.moveTo(plan)
    const answer = await call(route, path, await choose(person))
    last = [401, 403].includes(answer.status) ? { person, path } : undefined
    return answer
  }
}

function call(route: Route, path: string, credential: Headers): Promise<Answer> {
  const body = route.body && (bodies[addressOf(route)] ?? {})
  return linnet.api(route.method, path, body, credential)
}

/** The path of something that exists; it belongs to `owner` if it can have an owner. */
async function pathTo({ path }: Route, owner: Person): Promise<string> {
  const [collection = '', ...rest] = path.split(/\/:\w+/)
  if (rest.length === 0) return path
  return `${collection}/${await nameOfOne(collection, owner)}${rest.join('/nothing')}`
}

/** A collection that nothing here can fill is asked for an unknown name: a caller with access gets 404. */
async function nameOfOne(collection: string, owner: Person): Promise<string> {
  if (collection === '/admin/accounts') return publicId('acc', owner.account.id)
  if (collection === '/admin/plans') return 'pro'
  if (collection === '/admin/plugins') return 'link.customShortCode'
  if (collection === '/admin/jobs') return 'visits.tidyCounts'
  const isOfLink = collection === '/public-numbers'
  const body = isOfLink ? { of: await nameOfOne('/links', owner) } : bodies[`POST ${collection}`]
  if (!body) return 'nothing'
  const made = await linnet.api('POST', collection, body, await owner.session())
  if (made.status !== 201) throw new Error(`POST ${collection}: ${JSON.stringify(made.body)}`)
  return made.body.data.id
}

function inLine(cells: readonly string[]): string {
  const [route = '', ...rest] = cells
  const statuses = rest.slice(0, -1).map(cell => cell.padEnd(7))
  return `${route.padEnd(38)} ${statuses.join(' ')} ${rest.at(-1)}`
}

/** Keeps the rows of one path together. */
function byPath(a: string, b: string): number {
  const keyOf = (line: string) => line.split(/ +/, 2).reverse().join(' ')
  return keyOf(a) < keyOf(b) ? -1 : 1
}
