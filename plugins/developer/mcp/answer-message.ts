import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ApiTool, Json, MountRequest } from '../../../core/plugin.ts'
import { type Asking, type Confirming, callTool } from './call-tool.ts'
import type { OfferedTool } from './describe-tools.ts'

const about = { name: 'linnet', title: 'Linnet', version: '1.0.0' }

const instructions =
  'Linnet shortens links and counts their visits. Short URLs that people give are found by `links_lookup`. Times are in UTC unless a time zone is sent. A refusal says what is wrong with each argument.'

/** Answers one message, or one batch of them as in 2025, and keeps nothing of it. */
export async function answerMessage(
  { headers, json }: Pick<MountRequest, 'headers' | 'json'>,
  tools: readonly OfferedTool[],
  asking: Asking,
  confirming: Confirming,
): Promise<Response> {
  const call = boundCalls((tool, given) => callTool(tool, given, asking, confirming))
  const handler = createMcpHandler(() => serve(tools, call), {
    // A stream would stay open: the list of tools changes only when an admin switches a plugin.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  })
  const request = new Request('http://localhost/api/v1/mcp', {
    method: 'POST',
    headers: { ...headers },
  })
  return handler.fetch(request, { parsedBody: json })
}

type Call = (tool: ApiTool, given: Readonly<Record<string, Json>>) => ReturnType<typeof callTool>

/** Of all answers to a request: no model reads more, and each is in memory several times until the last is there. */
const mostChars = 1024 * 1024

const tooMuch = {
  text: `The answers have more than ${mostChars} characters. Ask for less at once, such as with per_page.`,
  isError: true,
} as const

/** Calls one tool after the other, as far as there is room for their answers. What was changed is always told. */
function boundCalls(call: Call): Call {
  let before: Promise<unknown> = Promise.resolve()
  let left = mostChars
  return (tool, given) => {
    const called = before.then(async () => {
      if (left <= 0) return tooMuch
      const answer = await call(tool, given)
      left -= answer.text.length
      return left > 0 || tool.method !== 'GET' ? answer : tooMuch
    })
    before = called.catch(() => undefined)
    return called
  }
}

function serve(tools: readonly OfferedTool[], call: Call): Server {
  const server = new Server(about, {
    capabilities: { tools: {} },
    instructions,
    // What a token opens is its own matter.
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
  })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ shown }) => shown) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ shown }) => shown.name === params.name)
    if (!tool) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name}, or the token does not open it.`,
      )
    }
    const said = inputResponse(mcpReq.inputResponses, question)
    if (said.kind !== 'missing' && !isAgreed(mcpReq)) return declined
    const given = (params.arguments ?? {}) as Readonly<Record<string, Json>>
    const confirm = isAgreed(mcpReq) && { confirm: mcpReq.requestState<string>() ?? '' }
    const { text, isError, deletion } = await call(tool.of, { ...given, ...confirm })
    if (deletion && canAsk(mcpReq)) return askPerson(deletion)
    return { content: [{ type: 'text', text }], ...(isError && { isError }) }
  })
  return server
}

type Asked = ServerContext['mcpReq']

/** What the client asks the person who uses it, https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation. */
const question = 'agreed'

const declined = {
  content: [{ type: 'text' as const, text: 'The user does not want it. Nothing was deleted.' }],
}

/** Whether the client can put a question to its user. The revisions of 2025 could only do so over a stream. */
function canAsk({ envelope }: Asked): boolean {
  const { elicitation }: ClientCapabilities = Object(envelope)[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url)
}

function askPerson({ confirm, what }: { readonly confirm: string; readonly what: string }) {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [question]: { type: 'boolean' as const, title: 'Delete it' } },
    required: [question],
  }
  const agreed = inputRequired.elicit({ message: `${what}?`, requestedSchema })
  return inputRequired({ inputRequests: { [question]: agreed }, requestState: confirm })
}

function isAgreed({ inputResponses }: Asked): boolean {
  return acceptedContent(inputResponses, question)?.[question] === true
}
