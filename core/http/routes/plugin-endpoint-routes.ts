import { join } from 'node:path'
import { lendCaller } from '../../accounts/access/lent-callers.ts'
import { takeTurn } from '../../accounts/usage.ts'
import { checks } from '../../kernel/contain/checks-of-hooks.ts'
import type { Contained, Containment } from '../../kernel/contain/contain.ts'
import { unhurried } from '../../kernel/run/in-turns.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugins.ts'
import type { BoundedQueue } from '../../lib/async/bounded-queue.ts'
import { collectBuffers } from '../../lib/memory/collect-garbage.ts'
import type { Hosts } from '../../links/follow/hosts.ts'
import type { LinkHooks } from '../../links/hooks.ts'
import { isPageQuery } from '../../plugin/lists/paging.ts'
import { isRefusal, notFound, overloaded, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Caller, Context, Endpoint } from '../../plugin.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { type Database, inTransactionUnlessRefused, undone } from '../../storage/database.ts'
import { isDangling } from '../../storage/foreign-keys.ts'
import { checkAnswer, TooLarge } from '../api/check-answer.ts'
import { checkIfMatch } from '../api/etag.ts'
import { unavailable } from '../api/failure.ts'
import {
  type EndpointLimitDeps,
  endpointLimit,
  groupOf,
  isFile,
  operationName,
  type PluginEndpoint,
  pluginEndpoints,
  replyOf,
  versionOf,
} from '../api/plugin-endpoint.ts'
import type { Call, Reply, Route } from '../api/route/route.ts'
import { internal } from '../send/problem.ts'

interface Deps extends EndpointLimitDeps {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
  readonly db: Database
  readonly entitlements: Pick<Entitlements, 'check' | 'limit'>
  readonly hooks: Pick<LinkHooks, 'validateAddresses'>
  readonly hosts: Pick<Hosts, 'learnt' | 'refreshOf'>
  /** Bounds how much memory handlers take at the same time. */
  readonly computations: BoundedQueue
  /** The folder for files of plugins; undefined if there is none. */
  readonly filesFolder?: string | undefined
}

/**
 * The endpoints of plugins, as routes. Making and changing things needs the feature in the caller's plan;
 * things that exist can always be read and deleted.
 */
export function pluginEndpointRoutes(deps: Deps): readonly Route[] {
  return deps.running.flatMap(member => {
    const routes = pluginEndpoints(member.plugin.endpoints).map(it => toRoute(it, member, deps))
    const { feature, unstable } = member.plugin
    return unstable?.hosts ? thenRefresh(routes, feature, deps) : routes
  })
}

function toRoute(it: PluginEndpoint, member: RunningPlugin, deps: Deps): Route {
  const { feature } = member.plugin
  const { method, path, endpoint, reader } = it
  const status = (endpoint.status ?? 200) as Route['status']
  const writes = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const isVersioned = reader?.version !== undefined
  const changesVersion = isVersioned && (method === 'PATCH' || method === 'DELETE')
  const limit = endpointLimit(it, deps)
  const isOneTurn =
    endpoint.limit !== undefined || endpoint.inTransaction === true || changesVersion
  const route: Route = {
    method,
    path,
    name: operationName(it),
    group: groupOf(it),
    groupAbout: member.plugin.about,
    summary: endpoint.summary,
    scope: endpoint.scope,
    ...optional('body', endpoint.body),
    ...optional('query', endpoint.query),
    ...(status === 204 ? {} : optional('answer', endpoint.answer)),
    ...(endpoint.media && { media: endpoint.media }),
    problems: [404, ...(endpoint.unstable?.file || isPageQuery(endpoint.query) ? [413] : [])],
    ...((endpoint.limit ?? endpoint.inTransaction) && { resumes: true as const }),
    ...(isVersioned && { isVersioned }),
    ...((isOneTurn || endpoint.unstable?.tries) && method !== 'GET' && { tries: true as const }),
    ...optional('fresh', endpoint.unstable?.fresh),
    ...optional('tool', endpoint.unstable?.tool),
    ...optional('rateLimit', limit?.left),
    ...optional('receives', receiving(it, member, deps)),
    status,
    blame(error) {
      const fail = () => {
        throw error
      }
      void deps.contain.run(feature, 'endpoint', fail, { part: `${method} ${path}` })
    },
    ...(writes && { bars: ({ account }) => deps.entitlements.check(account.plan, feature) }),
    async handle(call) {
      const refused = await limit?.count?.(call.caller)
      if (refused) return refused
      const details = { part: `${method} ${path}`, account: call.caller.accountId }
      const askAddresses = () => (endpoint.addresses ? endpoint.addresses(call.body) : [])
      const about = { ...details, part: `${details.part} addresses`, check: checks.addresses }
      const addresses = await deps.contain.run(feature, 'endpoint', askAddresses, about)
      if (!addresses.ok) return failed(addresses)
      // Before any transaction, because validation may have to ask somebody else.
      const unfit = await deps.hooks.validateAddresses(addresses.value, call.caller)
      if (unfit) return unfit
      const ask: Ask = async handle => {
        const about = { ...details, isWriting: isOneTurn }
        const answer = await deps.contain.run(feature, 'endpoint', handle, about)
        return answer.ok ? answer.value : failed(answer)
      }
      const answer = async () =>
        isOneTurn
          ? handleInTurn(it, route, call, member, deps, ask)
          : ask(() => handled(it, route, call, member.unhurried))
      return endpoint.unstable?.isHeavy ? heavily(deps, call.caller, answer) : answer()
    },
  }
  return route
}

/** The answer if a plugin could not give one. */
function failed({ error, isUnavailable, isOverloaded }: Failed): Refusal {
  if (isDangling(error)) throw error
  if (isUnavailable) return unavailable
  return isOverloaded ? overloaded : internal
}
type Failed = Extract<Contained<unknown>, { readonly ok: false }>

/** Has the plugin say whether and how much of a file is taken; undefined if it takes none. */
function receiving(
  { method, path, endpoint }: PluginEndpoint,
  { plugin: { feature }, context }: RunningPlugin,
  { contain, filesFolder }: Deps,
): Route['receives'] {
  const { file } = endpoint.unstable ?? {}
  if (!file) return undefined
  return async call => {
    const { caller, params, query } = call
    const accept = async () => {
      const maxBytes = await file.accept(
        { caller: lendCaller(caller), params, query, body: undefined },
        context,
      )
      const wrong = isRefusal(maxBytes) ? checks.refusal(maxBytes) : checks.count(maxBytes ?? 0)
      if (wrong) throw new Error(wrong)
      return maxBytes
    }
    const details = { part: `${method} ${path} file`, account: caller.accountId }
    const answer = await contain.run(feature, 'endpoint', accept, details)
    if (!answer.ok) return failed(answer)
    const { value: maxBytes = notFound } = answer
    if (typeof maxBytes !== 'number') return maxBytes
    if (filesFolder === undefined) return nowhere
    return { folder: join(filesFolder, feature), maxBytes }
  }
}

const nowhere = refuse('unavailable', 'This instance has no folder for files.', 503)

/** Answers in turn with all that takes much memory, and gives that back before the next one. Throws `Overloaded`. */
function heavily<T>(
  { computations }: Pick<Deps, 'computations'>,
  { accountId }: Caller,
  answer: () => Promise<T>,
): Promise<T> {
  const work = () => answer().finally(collectBuffers)
  return computations(work, { lane: `account ${accountId}`, rank: 0 })
}

/** Has the plugin answer within its budget; if it does not, the refusal says why. */
type Ask = (handle: () => Promise<Reply | Refusal>) => Promise<Reply | Refusal>

/** Turns what a handler returned into a reply. Throws if that is not what the endpoint declares. */
async function handled(
  it: PluginEndpoint,
  route: Route,
  call: Call,
  context: Context,
): Promise<Reply | Refusal> {
  const answer = await it.endpoint.handle(lendCall(call), context)
  const wrong = isRefusal(answer) ? checks.refusal(answer) : isFile(answer) && checks.file(answer)
  if (wrong) throw new Error(wrong)
  const reply = replyOf(it, answer)
  if (isRefusal(reply)) return reply
  try {
    checkAnswer(route, reply)
  } catch (error) {
    // The plugin cannot know how large its rows are: whoever asks for fewer of them gets them.
    if (error instanceof TooLarge && isPageQuery(it.endpoint.query)) return pageTooLarge
    throw error
  }
  return reply
}

const pageTooLarge = refuse(
  'payload_too_large',
  'These rows are larger than one answer may be. Ask for fewer at once, by a smaller per_page.',
  413,
)

/** What a handler gets of a call, and nothing more: authors would build on it. */
function lendCall({
  caller,
  params,
  body,
  query,
  isDry,
  file,
}: Call): Parameters<Endpoint['handle']>[0] {
  return {
    ...{ caller: lendCaller(caller), params, body, query },
    ...(isDry && { isDry }),
    ...(file && { file }),
  }
}

/**
 * Checks and handles a call in one transaction, so that requests at the same moment can neither pass the limit
 * nor change what another has just changed. It ends with the plugin's budget, because nobody else can write
 * until then.
 */
async function handleInTurn(
  it: PluginEndpoint,
  route: Route,
  call: Call,
  member: RunningPlugin,
  deps: Deps,
  ask: Ask,
): Promise<Reply | Refusal> {
  let tried: Reply | undefined
  const answer = await inTransactionUnlessRefused<Reply>(deps.db, async tx => {
    await takeTurn(tx, call.caller.accountId)
    const context = unhurried(member.within(tx))
    const reply = await ask(
      async () =>
        (await refusePastLimit(it, call, member, context, deps)) ??
        (await refuseStale(it, call, context)) ??
        handled(it, route, call, context),
    )
    if (isRefusal(reply)) return reply
    if (call.isDry) {
      tried = reply
      return undone
    }
    return (await call.attempt.keep(tx, reply)) ?? reply
  })
  return tried ?? answer
}

async function refusePastLimit(
  { endpoint }: PluginEndpoint,
  { caller }: Call,
  { plugin }: RunningPlugin,
  context: Context,
  { entitlements }: Deps,
): Promise<Refusal | undefined> {
  if (endpoint.limit === undefined) return undefined
  const { name: limitName, max: limit } = entitlements.limit(caller.account.plan, endpoint.limit)
  const counted = plugin.limits?.[endpoint.limit]?.used ?? ''
  const used = (await plugin.usage?.[counted]?.(caller.accountId, context)) as number
  const wrong = checks.count(used)
  if (wrong !== undefined) throw new Error(wrong)
  if (used < limit) return undefined
  const detail = `Your plan allows ${limit} of these, and you have ${used}.`
  return refuse('plan_limit_reached', detail, 403, undefined, { limitName, limit, used })
}

/** Honours `If-Match`, comparing it with what the thing would be shown as now. */
async function refuseStale(
  { method, reader }: PluginEndpoint,
  call: Call,
  context: Context,
): Promise<Refusal | undefined> {
  if (!reader?.version || method === 'POST' || call.ifMatch === undefined) return undefined
  const query = reader.query?.safeParse({}).data ?? {}
  const shown = await reader.handle({ ...lendCall(call), body: undefined, query }, context)
  if (shown === undefined) return notFound
  if (isRefusal(shown)) return shown
  return checkIfMatch(call.ifMatch, versionOf(reader, shown) ?? '')
}

function optional<K extends string, T>(key: K, value: T | undefined) {
  return value ? ({ [key]: value } as Record<K, T>) : {}
}

/**
 * The same routes, but visitors see their changes of hosts by the time they answer: the hosts are read after
 * the commit, whatever transaction a handler ran in.
 */
function thenRefresh(
  routes: readonly Route[],
  feature: string,
  { hosts }: Pick<Deps, 'hosts'>,
): readonly Route[] {
  return routes.map(route => {
    if (route.method === 'GET') return route
    return {
      ...route,
      async handle(call) {
        const since = hosts.learnt()
        const reply = await route.handle(call)
        if (!isRefusal(reply) && !call.isDry) await hosts.refreshOf(feature, since)
        return reply
      },
    }
  })
}
