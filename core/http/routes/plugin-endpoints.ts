import type { z } from 'zod'
import type { Containment } from '../../kernel/contain.ts'
import type { RunningPlugin } from '../../kernel/start-plugins.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import type { Endpoint, Method } from '../../plugin.ts'
import type { Route } from '../route.ts'

/**
 * The endpoints that plugins bring, as routes. Making and changing things needs the feature in the
 * caller's plan; what is there can always be read and deleted.
 */
export function pluginEndpointRoutes(deps: {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
  check(plan: string, feature: string): Refusal | undefined
}): readonly Route[] {
  return deps.running.flatMap(member =>
    Object.entries(member.plugin.endpoints ?? {}).map(([name, endpoint]) =>
      toRoute(name, endpoint, member, deps),
    ),
  )
}

function toRoute(
  name: string,
  endpoint: Endpoint,
  { plugin: { feature }, context }: RunningPlugin,
  { contain, check }: Parameters<typeof pluginEndpointRoutes>[0],
): Route {
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
    ...(status === 204 ? {} : { answer: endpoint.answer }),
    status,
    async handle(call) {
      const writes = method === 'POST' || method === 'PATCH'
      const barred = writes ? check(call.caller.account.plan, feature) : undefined
      if (barred) return barred
      const handled = await contain.run(feature, 'endpoint', () => endpoint.handle(call, context))
      if (!handled.ok) return refuse('internal', 'Something went wrong on our side.', 500)
      if (handled.value === undefined) return refuse('not_found', 'There is no such thing.', 404)
      if (isRefusal(handled.value)) return handled.value
      return status === 204 ? {} : { body: handled.value }
    },
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
