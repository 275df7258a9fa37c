import { definePlugin, type File, file, isRefusal, type Json, refuse } from '../../core/plugin.ts'
import { describeTools } from './mcp/describe-tools.ts'

/** The Model Context Protocol may grow a call by a body of the API, which is at most 1 MiB. */
const maxBytes = 1024 * 1024 + 16 * 1024

/** The revision 2025-03-26 lets a client send several messages at once, each of which may be a call of the API. */
const mostAtOnce = 20

const tooManyAtOnce = refuse(
  'validation_failed',
  `Send at most ${mostAtOnce} messages at once.`,
  422,
)

/** It is the same each time, and takes longer than any other answer that is made here. */
const listedAgain = refuse(
  'validation_failed',
  'Send `tools/list` at most once among the messages.',
  422,
)

const fromPage = refuse(
  'forbidden_origin',
  'Pages in a browser may not ask here. Use a client that is a program of its own.',
  403,
)

/**
 * Offers operations of the API to language models by the Model Context Protocol, https://modelcontextprotocol.io/specification,
 * in its revision 2026-07-28 and those of 2025. Nothing is kept between requests. `docs/mcp.md` says how to connect.
 */
export default definePlugin({
  feature: 'developer.mcp',
  label: 'MCP',
  about:
    'Let assistants that speak the Model Context Protocol work with links, with the scopes of a token.',
  needs: ['developer.apiKeys'],
  mounts: {
    'api/v1/mcp': {
      methods: ['POST'],
      headers: [
        'accept',
        'content-type',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
        'origin',
      ],
      bodies: ['json'],
      maxBytes,
      async handle({ headers, json, ...request }, { unstable, now }) {
        // A page that has its name point here, as in DNS rebinding, says so by its origin.
        if (headers.origin !== undefined) return fromPage
        if (Array.isArray(json) && json.length > mostAtOnce) return tooManyAtOnce
        if (Array.isArray(json) && json.filter(isList).length > 1) return listedAgain
        const tools = describeTools(unstable.tools())
        const known = await tools.offered(request)
        if (isRefusal(known)) return known
        // Most instances are never asked.
        const { answerMessage } = await import('./mcp/answer-message.ts')
        const confirming = { secrets: unstable.secrets, now }
        return fileOf(await answerMessage({ headers, json }, known, request, confirming))
      },
    },
  },
})

function isList(message: Json): boolean {
  return Object(message).method === 'tools/list'
}

async function fileOf(answer: Response): Promise<File> {
  const type = answer.headers.get('content-type') ?? 'application/json'
  return file(type, await answer.text(), 0, answer.status)
}
