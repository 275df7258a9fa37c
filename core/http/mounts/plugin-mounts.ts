import type { IncomingMessage, ServerResponse } from 'node:http'
import { tooLarge } from '../../kernel/contain/answer-size.ts'
import type { Check } from '../../kernel/contain/check-by-schema.ts'
import { checks } from '../../kernel/contain/checks-of-hooks.ts'
import type { Containment } from '../../kernel/contain/contain.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugins.ts'
import { Overloaded } from '../../lib/async/bounded-queue.ts'
import type { Slots } from '../../lib/async/slots.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { newRequestId } from '../../lib/request-head.ts'
import type { AnonymousRequests } from '../../limits/anonymous-requests.ts'
import type { BodyMemory, HeldBody } from '../../limits/body-memory.ts'
import type { Page } from '../../plugin/answers/page.ts'
import {
  type Ask,
  isRefusal,
  overloaded,
  type Redirect,
  type Refusal,
} from '../../plugin/outcomes.ts'
import type { CustomHost, File, Later, Mount, MountAsked, MountRequest } from '../../plugin.ts'
import { createCors } from '../api/access/cors.ts'
import { type CallApi, type FindCaller, type HasToken, tooMuch } from '../api/call-api.ts'
import { unavailable } from '../api/failure.ts'
import { fileHeaders } from '../api/plugin-endpoint.ts'
import type { RunningWork } from '../api/running-work.ts'
import { formPage, notFoundPage } from '../pages/pages.ts'
import type { PageSender } from '../pages/send-page.ts'
import type { ClientAddress } from '../request/client-address.ts'
import type { Handler } from '../request/split-paths.ts'
import { internal, notAllowed, notFound } from '../send/problem.ts'
import { apiHeaders, type Headers, refusalHeaders, send, sendProblem } from '../send/send.ts'
import { readBody, readHead } from './read-asked.ts'

export interface MountDeps {
  readonly contain: Containment
  readonly callApi: CallApi
  readonly findCaller: FindCaller
  readonly hasToken: HasToken
  readonly anonymous: AnonymousRequests
  readonly slots: Slots
  readonly bodies: BodyMemory
  readonly clientAddress: ClientAddress
  readonly track: RunningWork['track']
  readonly pageSender: PageSender
}

type Handlers = Readonly<Record<string, Handler>>

/** What plugins answer outside the API, by the first segment of the path. */
export interface PluginMounts {
  /** On the host of the base URL. */
  readonly own: Handlers
  /** Below `/api/v1`, wherever the API is. */
  readonly besideApi: Handlers
  /** Those of them that answer on all hosts. */
  readonly everywhere: Handlers
  /** The same on a custom host. */
  on(host: CustomHost): Handlers
}

/** A mount, where it is and whose. */
interface Placed {
  readonly key: string
  readonly mount: Mount
  readonly member: RunningPlugin
}

export function pluginMounts(running: readonly RunningPlugin[], deps: MountDeps): PluginMounts {
  const all = running.flatMap(member =>
    Object.entries(member.plugin.mounts ?? {}).map(([key, mount]) => ({ key, mount, member })),
  )
  const handlers = (mounts: readonly Placed[], host?: CustomHost) =>
    Object.fromEntries(mounts.map(it => [it.key, serveMount(it, deps, host)]))
  const isBesideApi = ({ key }: Placed) => key.startsWith('api/v1/')
  const everywhere = all.filter(it => it.mount.hosts === 'all' && !isBesideApi(it))
  return {
    own: handlers(all.filter(it => !isBesideApi(it))),
    besideApi: handlers(all.filter(isBesideApi)),
    everywhere: handlers(everywhere),
    on: host => handlers(everywhere, host),
  }
}

/** Of an answer of the API, four of which may go into the one that a mount makes of them: all are in memory several times meanwhile. */
const mostChars = memoryShares.answerBytes / 4

type Said = Ask | File | Page | Redirect | Refusal

function serveMount(
  { key, mount, member }: Placed,
  deps: MountDeps,
  host: CustomHost | undefined,
): Handler {
  const { anonymous, pageSender } = deps
  const { plugin, context } = member
  const cors = createCors(mount.origins ?? [], mount.headers)
  const allow = allowed(mount)

  /** Runs a part of the mount. Anybody may ask, so a failure that one client causes keeps no other from being answered. */
  async function run<T>(
    client: string,
    part: string,
    check: Check,
    work: () => Later<T>,
  ): Promise<{ readonly value: T } | Refusal> {
    const details = { part: `mounts ${key}${part}`, isVisit: true, client, check }
    const answer = await deps.contain.run(plugin.feature, 'mount', work, details)
    if (answer.ok) return answer
    if (answer.isUnavailable) return unavailable
    return answer.isOverloaded || answer.isUnanswered ? overloaded : internal
  }

  /** The answer to a request, and what is known of it: a request that is refused early is not read to its end. */
  async function answerTo(req: IncomingMessage, head: MountAsked, held: HeldBody) {
    if (!allow.includes(head.method)) return { said: notAllowed, asked: head }
    const spent = await anonymous.peek(head.visitor)
    if (spent) return { said: spent, asked: head }
    const asked = await readBody(req, head, mount, held)
    if (isRefusal(asked)) return { said: asked, asked: head }
    return { said: await handle(req, asked, held), asked }
  }

  async function handle(req: IncomingMessage, asked: MountAsked, held: HeldBody): Promise<Said> {
    const found = await run(asked.visitor, ' token', checks.token, () =>
      mount.token?.(asked, context),
    )
    if (isRefusal(found)) return found
    const token = found.value
    // A token that nobody gave counts as none, before it puts the plugin to work.
    const isKnown = await deps.hasToken(req, token)
    const refused = isKnown ? undefined : await anonymous.count(asked.visitor)
    if (refused) return refused

    let isAnswered = false
    let charsLeft = 4 * mostChars
    const isRoomFor = (chars: number) => {
      if (chars > mostChars || chars > charsLeft) return false
      charsLeft -= chars
      return true
    }
    const credential: Pick<MountRequest, 'call' | 'caller'> = {
      async call(method, path, body) {
        if (isAnswered) throw new Overloaded('Nobody waits for the answer any more.')
        // What was changed is answered as it is, however long: who was told that it was refused would do it again.
        const bound = method === 'GET' && { isRoomFor }
        return deps.callApi(req, token, { method, path, body, ...bound })
      },
      caller: scope => deps.findCaller(req, token, scope),
    }
    const answer = await run(asked.visitor, '', checks.mount, () => {
      const work = async () => {
        const answer = await mount.handle({ ...asked, ...credential }, context)
        return isTooLarge(answer) ? tooMuch : answer
      }
      const working = deps.slots(() => asked.visitor, work)
      held.until(working)
      return working
    })
    isAnswered = true
    return isRefusal(answer) ? answer : (answer.value ?? notFound)
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const requestId = newRequestId()
    const visitor = clientKey(deps.clientAddress(req))
    cors.allow(req, res)
    if (req.method === 'OPTIONS') {
      const preflight = cors.preflight(req, allow.join(', '))
      return send(res, 204, { ...apiHeaders(requestId), Allow: allow.join(', '), ...preflight })
    }
    const head = readHead(req, { key, mount, visitor, host })
    if (!head) return sendProblem(res, notFound, requestId)
    const held = deps.bodies.begin(visitor)
    try {
      const { said, asked } = await answerTo(req, head, held)
      if (isRefusal(said)) await sendRefusal(req, res, said, asked, requestId)
      else if (said.kind === 'page') pageSender.shown(req, res, said)
      else if (said.kind === 'ask') pageSender.page(req, res, formPage(said))
      else if (said.kind === 'redirect') sendRedirect(req, res, said, requestId)
      else sendFile(res, said, requestId)
    } finally {
      held.end()
    }
  }

  /** A refusal in the way of the mount; undefined if that fails. Nothing is waited for, and a promise is a failure. */
  async function written(refusal: Refusal, asked: MountAsked): Promise<File | undefined> {
    const answer = await run(
      asked.visitor,
      ' problem',
      () => undefined,
      () => {
        const file = mount.problem?.(refusal, asked, context)
        const wrong = checks.file(file)
        if (wrong !== undefined) throw new Error(wrong)
        return file
      },
    )
    return isRefusal(answer) ? undefined : answer.value
  }

  async function sendRefusal(
    req: IncomingMessage,
    res: ServerResponse,
    refusal: Refusal,
    asked: MountAsked,
    requestId: string,
  ): Promise<void> {
    const more = refusal === notAllowed ? { Allow: allow.join(', ') } : {}
    const file = mount.problem && (await written(refusal, asked))
    if (file) {
      const headers = { ...more, ...refusalHeaders(refusal) }
      return sendFile(res, { status: refusal.status, ...file }, requestId, headers)
    }
    if (refusal === notFound && isBrowser(req)) return pageSender.page(req, res, notFoundPage)
    sendProblem(res, refusal, requestId, more)
  }

  return (req, res) => deps.track(serve(req, res))
}

function sendFile(res: ServerResponse, file: File, requestId: string, more: Headers = {}): void {
  const headers = { ...apiHeaders(requestId), ...more, ...fileHeaders(file) }
  send(res, file.status ?? 200, headers, file.content)
}

function sendRedirect(
  req: IncomingMessage,
  res: ServerResponse,
  { url, status, headers }: Redirect,
  requestId: string,
): void {
  const usual = req.method === 'GET' || req.method === 'HEAD' ? 302 : 303
  send(res, status ?? usual, { ...apiHeaders(requestId), ...headers, Location: url })
}

/** A client may ask for less, whatever form a plugin gives to what it asked for. */
function isTooLarge(answer: Awaited<ReturnType<Mount['handle']>>): boolean {
  if (answer?.kind !== 'file') return false
  const { content } = answer
  const isContent = typeof content === 'string' || content instanceof Uint8Array
  return isContent && tooLarge(content) !== undefined
}

/** The methods that a mount answers. */
function allowed({ methods = ['GET', 'POST'] }: Mount): readonly string[] {
  return [...methods.flatMap(it => (it === 'GET' ? ['GET', 'HEAD'] : [it])), 'OPTIONS']
}

/** Whether somebody opened the address in a browser; programs, which say nothing of HTML, get a problem. */
function isBrowser({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('text/html')
}
