import type { z } from 'zod'
import type { Entitlements } from '../../accounts/entitlements.ts'
import type { Containment } from '../../kernel/contain.ts'
import { ownTables } from '../../kernel/own-tables.ts'
import type { RunningPlugin } from '../../kernel/start-plugins.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import type { Endpoint, File, Method } from '../../plugin.ts'
import { type Database, inTransactionUnlessRefused } from '../../storage/database.ts'
import { internal } from '../problem.ts'
import type { Call, Reply, Route } from '../route.ts'

interface Deps {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
  readonly db: Database
  readonly entitlements: Pick<Entitlements, 'check' | 'plan'>
}

/**
 * The endpoints that plugins bring, as routes. Making and changing things needs the feature in the
 * caller's plan; what is there can always be read and deleted.
 */
export function pluginEndpointRoutes(deps: Deps): readonly Route[] {
  return deps.running.flatMap(member =>
    Object.entries(member.plugin.endpoints ?? {}).map(([name, endpoint]) =>
      toRoute(name, endpoint, member, deps),
    ),
  )
}

function toRoute(name: string, endpoint: Endpoint, member: RunningPlugin, deps: Deps): Route {
  const { feature } = member.plugin
  const [method = 'GET', path = '/'] = name.split(' ') as [Method, string]
  const status = (endpoint.status ?? 200) as Route['status']
  return {
    method,
    path,
    name: operationName(method, path),
    group: groupOf(path),
    summary: endpoint.summary,
    scope: endpoint.scope,
    ...optional('body', endpoint.body),
    ...optional('query', endpoint.query),
    ...(status === 204 ? {} : optional('answer', endpoint.answer)),
    ...(endpoint.media && { media: endpoint.media }),
    problems: [404],
    ...(endpoint.limit && { resumes: true as const }),
    status,
    async handle(call) {
      const writes = method === 'POST' || method === 'PATCH'
      const plan = call.caller.account.plan
      const barred = writes ? deps.entitlements.check(plan, feature) : undefined
      if (barred) return barred
      const handled = await deps.contain.run(feature, 'endpoint', async () =>
        endpoint.limit
          ? handleWithin(endpoint.limit, endpoint, call, member, deps)
          : replyOf(endpoint, await endpoint.handle(call, member.context)),
      )
      return handled.ok ? handled.value : internal
    },
  }
}

/** Count and handle in one transaction, so that requests at the same moment cannot pass the limit. */
function handleWithin(
  { max, used }: NonNullable<Endpoint['limit']>,
  endpoint: Endpoint,
  call: Call,
  { plugin, context }: RunningPlugin,
  { db, entitlements }: Deps,
): Promise<Reply | Refusal> {
  const { account, accountId } = call.caller
  const limit = entitlements.plan(account.plan).organization[max]
  return inTransactionUnlessRefused<Reply>(db, async tx => {
    const own = { ...context, db: ownTables(tx, plugin.feature) }
    const count = (await plugin.usage?.[used]?.(accountId, own)) ?? 0
    if (count >= limit) {
      const detail = `Your plan allows ${limit} of these, and there are ${count}.`
      return refuse('plan_limit_reached', detail, 403, undefined, { limit, used: count })
    }
    const reply = replyOf(endpoint, await endpoint.handle(call, own))
    return isRefusal(reply) ? reply : ((await call.once.keep(tx, reply)) ?? reply)
  })
}

const notFound = refuse('not_found', 'There is no such thing.', 404)

function replyOf({ status }: Endpoint, handled: unknown): Reply | Refusal {
  if (handled === undefined) return notFound
  if (isRefusal(handled)) return handled
  if (isFile(handled)) return fileReply(handled)
  return status === 204 ? {} : { body: handled }
}

function isFile(value: unknown): value is File {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file'
}

function fileReply({ type, content, maxAgeSeconds }: File): Reply {
  return {
    body: content,
    headers: { 'Content-Type': type, 'Cache-Control': `private, max-age=${maxAgeSeconds}` },
  }
}

function optional<K extends string>(key: K, schema: z.ZodType | undefined) {
  return schema ? ({ [key]: schema } as Record<K, z.ZodType>) : {}
}

const verbs = { GET: 'show', POST: 'create', PATCH: 'update', DELETE: 'destroy' } as const

/** `GET /api-tokens/:id` is `apiTokens.show`, `GET /api-tokens` is `apiTokens.list`. */
function operationName(method: Method, path: string): string {
  const segments = path.split('/').filter(Boolean)
  const named = segments.filter(segment => !segment.startsWith(':'))
  const onOne = segments.some(segment => segment.startsWith(':'))
  const verb = method === 'GET' && !onOne ? 'list' : verbs[method]
  return `${named.map(camel).join('.')}.${verb}`
}

/** `/api-tokens/:id` belongs to `Api Tokens`. */
function groupOf(path: string): string {
  const [first = ''] = path.split('/').filter(Boolean)
  return first
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

function camel(segment: string): string {
  return segment.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
