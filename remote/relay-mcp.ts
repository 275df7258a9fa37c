import { createInterface } from 'node:readline'
import { parseJson } from '../core/lib/text/json.ts'
import { type Io, print } from './io.ts'
import type { Server } from './known-servers.ts'

/** What is read of a message of JSON-RPC 2.0. */
interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> }
  readonly result?: { readonly protocolVersion?: unknown }
}

const versionInMeta = 'io.modelcontextprotocol/protocolVersion'

/**
 * Lets a client of the Model Context Protocol that starts programs talk to a server elsewhere: each line of standard input
 * is a message, which is sent there, and each answer is a line of standard output. Ends with standard input.
 */
export async function relayMcp(server: Server, io: Io): Promise<number> {
  /** The revision that a client of 2025 has agreed on. Later ones say theirs in each message. */
  let agreed: string | undefined

  async function send(line: string): Promise<void> {
    const message = parseJson(line) as Message | undefined
    if (typeof message !== 'object' || message === null) {
      return print(io, failure(null, -32_700, 'This line is no JSON object.'))
    }
    const { id, method, params } = message
    const version = params?._meta?.[versionInMeta] ?? agreed
    const answer = await io.fetch(`${server.url}/api/v1/mcp`, {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
        ...(params?._meta?.[versionInMeta] !== undefined && { 'mcp-method': `${method}` }),
        ...(method === 'tools/call' && { 'mcp-name': `${params?.name}` }),
      },
      body: line,
      signal: io.signal,
    })
    for (const said of messagesIn(await answer.text(), answer.headers.get('content-type'))) {
      const { result } = said as Message
      if (method === 'initialize' && typeof result?.protocolVersion === 'string') {
        agreed = result.protocolVersion
      }
      // What is no answer of the protocol is a refusal of Linnet, or of a proxy.
      if ('jsonrpc' in said) await print(io, JSON.stringify(said))
      else if (id !== undefined) await print(io, failure(id, -32_000, reasonIn(said, answer)))
    }
  }

  const sending = new Set<Promise<void>>()
  for await (const line of createInterface({ input: io.stdin })) {
    if (line.trim() === '') continue
    const sent = send(line).catch((error: unknown) => {
      const { id } = parseJson(line) as Message
      const reason = `${server.url} cannot be reached: ${reasonOf(error)}`
      return id === undefined ? undefined : print(io, failure(id, -32_000, reason))
    })
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
    // The first message settles what the next ones say.
    if (agreed === undefined) await sent
  }
  await Promise.all(sending)
  return 0
}

/** The messages of an answer: one, none, or those of a stream of events. */
function messagesIn(text: string, type: string | null): readonly object[] {
  const texts = type?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data)
    : [text]
  if (text === '') return []
  return texts.map(it => {
    const said = parseJson(it)
    return typeof said === 'object' && said !== null ? said : {}
  })
}

function failure(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

function reasonIn(said: object, { status }: Response): string {
  const { detail } = said as { readonly detail?: unknown }
  return typeof detail === 'string' ? detail : `The answer was ${status}, and no message.`
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message || message : message
}
