import { type ServerResponse, STATUS_CODES } from 'node:http'
import { takeHead } from '../../links/follow/ready-response.ts'
import { linesOf } from '../../links/follow/redirect.ts'

/** A page as it goes over the wire, but for what no two answers share. */
export interface ReadyPage {
  readonly status: number
  readonly head: string
  /** A character for each byte: such a text is written as it is, and none is encoded for each answer. */
  readonly body: string
}

/** With these raw headers. */
export function makeReady(status: number, headers: readonly string[], html: string): ReadyPage {
  const bytes = Buffer.from(html)
  const lines = linesOf([...headers, 'Content-Length', String(bytes.length)])
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`
  return { status, head, body: bytes.toString('latin1') }
}

/** False, and nothing done, where the answer needs more than what most answers have in common. */
export function sendReady(res: ServerResponse, page: ReadyPage, requestId: string): boolean {
  if (!takeHead(res, page.status, `${page.head}X-Request-Id: ${requestId}\r\n`)) return false
  res.end(page.body, 'latin1')
  return true
}
