import type { IncomingMessage, ServerResponse } from 'node:http'
import { checks } from '../../kernel/contain/check-answers.ts'
import type { Containment } from '../../kernel/contain/contain.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugins.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { newRequestId } from '../../lib/request-head.ts'
import { preferredLanguage } from '../../lib/text/weighted.ts'
import type { AnonymousRequests } from '../../limits/anonymous-requests.ts'
import { isRefusal, overloaded, type Refusal } from '../../plugin/outcomes.ts'
import type { File, Mount, MountRequest } from '../../plugin.ts'
import { createCors } from '../api/access/cors.ts'
import type { CallApi } from '../api/call-api.ts'
import { unavailable } from '../api/failure.ts'
import { readForm } from '../api/input/read-body.ts'
import { fileHeaders } from '../api/plugin-endpoint.ts'
import type { RunningWork } from '../api/running-work.ts'
import { notFoundPage } from '../pages/pages.ts'
import type { PageSender } from '../pages/send-page.ts'
import type { ClientAddress } from '../request/client-address.ts'
import type { Handler } from '../request/split-paths.ts'
import { internal, notAllowed, notFound } from '../send/problem.ts'
import { apiHeaders, send, sendProblem } from '../send/send.ts'

export interface MountDeps {
  readonly contain: Containment
  readonly callApi: CallApi
  readonly anonymous: AnonymousRequests
  readonly clientAddress: ClientAddress
  readonly track: RunningWork['track']
  readonly pageSender: PageSender
}

/** What plugins answer outside the API, by first path segment. */
export function pluginMounts(
  running: readonly RunningPlugin[],
  deps: MountDeps,
): Readonly<Record<string, Handler>> {
  return Object.fromEntries(
    running.flatMap(member =>
      Object.entries(member.plugin.mounts ?? {}).map(([path, mount]) => [
        path,
        serveMount(path, mount, member, deps),
      ]),
    ),
  )
}

const allow = 'GET, HEAD, POST, OPTIONS'

function serveMount(
  mountPath: string,
  mount: Mount,
  { plugin: { feature }, context }: RunningPlugin,
  { contain, callApi, anonymous, clientAddress, track, pageSender }: MountDeps,
): Handler {
  const cors = createCors(mount.origins ?? [])

  async function answerTo(req: IncomingMessage): Promise<File | Refusal> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const form = req.method === 'POST' ? await readForm(req) : {}
    if (isRefusal(form)) return form
    const input = { ...Object.fromEntries(searchParams), ...form }
    const client = clientKey(clientAddress(req))
    const asks = { part: `mounts ${mountPath} token`, isVisit: true, check: checks.token }
    const found = await contain.run(feature, 'mount', () => mount.token?.(input), asks)
    if (!found.ok) return internal
    const token = found.value
    const isAnonymous = token === undefined && req.headers.authorization === undefined
    const refused = await (isAnonymous ? anonymous.count(client) : anonymous.peek(client))
    if (refused) return refused

    let isLetIn = false
    const path = pathname.slice(mountPath.length + 2)
    const call: MountRequest['call'] = async (method, path, body) => {
      const called = await callApi(req, token, { method, path, body })
      isLetIn ||= called.status < 400
      return called
    }
    const language = preferredLanguage(String(req.headers['accept-language'] ?? ''))
    const ask = () => mount.handle({ path, input, language, call }, context)
    // Anybody may ask, so a failure that one of them causes must not keep others from being answered.
    const details = { part: `mounts ${mountPath}`, isVisit: true, check: checks.mount }
    const answer = await contain.run(feature, 'mount', ask, details)
    // A token that opened nothing counts as none.
    if (!isAnonymous && !isLetIn) await anonymous.count(client)
    if (answer.ok) return answer.value ?? notFound
    if (answer.isUnavailable) return unavailable
    return answer.isOverloaded ? overloaded : internal
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const requestId = newRequestId()
    cors.allow(req, res)
    if (req.method === 'OPTIONS') {
      const headers = { ...apiHeaders(requestId), Allow: allow, ...cors.preflight(req, allow) }
      return send(res, 204, headers)
    }
    if (!allow.includes(req.method ?? '')) {
      return sendProblem(res, notAllowed, requestId, { Allow: allow })
    }
    const answer = await answerTo(req)
    if (answer === notFound && isBrowser(req)) return pageSender.page(req, res, notFoundPage)
    if (isRefusal(answer)) return sendProblem(res, answer, requestId)
    const headers = { ...apiHeaders(requestId), ...fileHeaders(answer) }
    send(res, answer.status ?? 200, headers, answer.content)
  }

  return (req, res) => track(serve(req, res))
}

/** Whether somebody opened the address in a browser; programs, which say nothing of HTML, get a problem. */
function isBrowser({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('text/html')
}
