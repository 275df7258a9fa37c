import { z } from 'zod'
import { createTokens } from '../accounts/access/tokens.ts'
import { type Finding, fine, problem, warning } from '../doctor/finding.ts'
import { readySchema } from '../http/routes/health-routes.ts'
import { findingsSchema } from '../http/routes/instance-routes.ts'
import { parseJson } from '../lib/text/json.ts'
import { isRefusal } from '../plugin/outcomes.ts'
import { joinDatabase } from '../storage/open/open-database.ts'
import { addressOf, hasInstance } from './find-instance.ts'
import { holdPort, whyNotListening } from './free-port.ts'
import { isFolderTaken } from './running-server.ts'
import type { ServerSettings } from './settings-from-env.ts'

/** How long to wait for an answer of the server, in milliseconds. */
const waitMs = 5_000

/** Asks the running server for its health; if none runs, checks whether one could. */
export async function askServer(server: ServerSettings): Promise<readonly Finding[]> {
  const local = `http://${reachable(server.host)}:${server.port}`
  const health = await read(`${local}/health/ready`, readySchema).catch(() => undefined)
  if (health === undefined) return [await examinePort(server, local)]
  if (!hasInstance(server)) {
    const says = `The server that responds at ${local} has its data elsewhere: there is no database in ${server.dataDir}.`
    return [warning('port', says, 'Set LINNET_DATA_DIR as the server has it, and run this again.')]
  }
  const checks = Object.entries(health.checks)
  return [
    fine('port', `A server responds at ${local}.`),
    ...checks.map(([name, check]) => asFinding(name, check)),
    ...(await askOverProxy(server)),
  ]
}

/** The host at which this machine reaches a server that may listen on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function asFinding(
  name: string,
  { status, note }: z.output<typeof readySchema>['checks'][string],
): Finding {
  if (status === 'ok') return fine(name, note ?? 'The server reports no problems.')
  const remedy = 'See the log of the server; docs/logs.md explains its messages.'
  return (status === 'failing' ? problem : warning)(name, note ?? '', remedy)
}

async function examinePort(
  { host, port, dataDir }: ServerSettings,
  local: string,
): Promise<Finding> {
  if (isFolderTaken(dataDir)) {
    const says = `A server, or a command that needs it for itself, has ${dataDir}, and none responds at ${local}.`
    const remedy =
      'If it has just started, wait. If LINNET_HOST and LINNET_PORT are set here, set them as that server has them.'
    return problem('port', says, `${remedy} Otherwise see its log.`)
  }
  try {
    const { holder } = await holdPort(host, port)
    holder.close()
    return fine('port', `No server is running, and port ${port} of ${host} is free.`)
  } catch (error) {
    return problem('port', whyNotListening(error, host, `Port ${port}`), 'Then start Linnet.')
  }
}

/** Sends a request to the base URL through all proxies, because only the server sees how such a request arrives. */
async function askOverProxy(server: ServerSettings): Promise<readonly Finding[]> {
  const { baseUrl, dashboardUrl = baseUrl } = server
  const { db, close } = await joinDatabase(addressOf(server))
  try {
    const tokens = createTokens({ db, now: () => new Date(), scopes: () => ['admin'] })
    const admin = await db
      .selectFrom('accounts')
      .select('id')
      .where('is_admin', '=', 1)
      .executeTakeFirst()
    if (!admin) return [fine('proxies', 'There is no account yet, so this was not tested.')]
    const maker = { accountId: admin.id, isAdmin: true, scopes: ['*'] }
    const draft = { name: 'linnet doctor', scopes: ['admin'], expiresAt: inAMinute() }
    const made = await tokens.create(maker, draft)
    if (isRefusal(made)) return [withoutToken(made.detail)]
    const found = await askWith(made.token, dashboardUrl)
    await tokens.revoke(maker, made.id)
    return found
  } catch (error) {
    return [withoutToken(`${(error as Error).message}.`)]
  } finally {
    await close()
  }
}

async function askWith(token: string, baseUrl: string): Promise<readonly Finding[]> {
  try {
    const url = `${baseUrl}/api/v1/admin/doctor`
    const answer = await ask(url, { authorization: `Bearer ${token}` })
    const location = answer.headers.get('location')
    if (location !== null) return [redirected(baseUrl, new URL(location, url).origin)]
    const body = parseJson(await answer.text())
    const found = findingsSchema.safeParse(body).data?.data.filter(isForServerAlone) ?? []
    return found.length > 0 ? found : [notAsked(baseUrl, whatAnswered(answer, body))]
  } catch (error) {
    return [notAsked(baseUrl, reasonOf(error as Error))]
  }
}

/** What this command cannot find out by itself: how requests arrive, and what plugins say, whose findings have their names. */
function isForServerAlone({ name }: Finding): boolean {
  return name === 'proxies' || name.includes('.')
}

/** Describes an answer that is not the one of the server that was asked for. */
function whatAnswered({ status, statusText }: Response, body: unknown): string {
  const { code, detail } = problemSchema.safeParse(body).data ?? {}
  if (code === 'unauthenticated') return 'the API token did not arrive.'
  if (detail !== undefined) return `a Linnet answers there, but ${status}: ${detail}`
  return `what answers there is not Linnet, with ${`${status} ${statusText}`.trim()}.`
}

const problemSchema = z.object({ code: z.string(), detail: z.string() })

/** A redirect to another origin would lose the token, and visitors take that detour too. */
function redirected(baseUrl: string, origin: string): Finding {
  return warning(
    'proxies',
    `${baseUrl} redirects to ${origin}.`,
    origin === baseUrl
      ? 'Let the proxy pass /api on to Linnet.'
      : `If ${origin} is where people arrive, set LINNET_BASE_URL=${origin}, or LINNET_DASHBOARD_URL if it is set.`,
  )
}

/** The token could not be written, as on a full disk: that says nothing about the proxies. */
function withoutToken(why: string): Finding {
  return warning(
    'proxies',
    `This was not tested, since the API token for it could not be written: ${why}`,
    'Solve that first, then run linnet doctor again.',
  )
}

function inAMinute(): Date {
  return new Date(Date.now() + 60_000)
}

function notAsked(baseUrl: string, why: string): Finding {
  return warning(
    'proxies',
    `The server could not be reached at ${baseUrl}: ${why}`,
    'Check that this machine can open LINNET_BASE_URL, or LINNET_DASHBOARD_URL if it is set, that the proxy passes on Authorization, and that API tokens are switched on.',
  )
}

/** Returns the answer if it matches the schema, else undefined. Rejects if there is no answer. */
async function read<T>(url: string, schema: z.ZodType<T>): Promise<T | undefined> {
  return schema.safeParse(parseJson(await (await ask(url)).text())).data
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(waitMs) })
}

/** The reason of a failed fetch. Node gives it only as the cause of the error. */
function reasonOf({ message, cause }: Error): string {
  const { message: why, code } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'it answers with http where https is expected.'
  return `${why || code || message}.`
}
