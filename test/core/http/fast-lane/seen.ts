import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Handler } from '../../../../core/http/request/split-paths.ts'
import type { Limits } from '../../../../core/http/server/server.ts'
import type { RequestHead } from '../../../../core/lib/request-head.ts'
import { sendRedirect } from '../../../../core/links/follow/ready-response.ts'
import { redirectTo } from '../../../../core/links/follow/redirect.ts'
import { type Served, serve } from '../serve.ts'

/** A server that notes what it is asked, so that two can be compared. */
export interface Seeing extends Served {
  /** All that a visit of a plain link is made from, one a visit. */
  readonly visits: string[]
  /** The addresses of all that came through `node:http`. */
  readonly asked: string[]
}

const redirect = redirectTo('https://example.com/%C3%BC?q=1#part')
/** What plain links have for paths. */
const plain = ['/code', '/Other-code_1']

/**
 * Every other path is answered with what the request said: after a turn if it begins with `/later`, and `/last` is
 * the last of its connection. With `isReady` false nothing is for the fast lane, so that all is handed over.
 */
export async function see(
  options: { fastLane?: boolean; isReady?: boolean; limits?: Partial<Limits> } = {},
): Promise<Seeing> {
  const visits: string[] = []
  const asked: string[] = []
  const visit = ({ url = '', rawHeaders, socket }: RequestHead) => {
    visits.push(JSON.stringify([url, rawHeaders, socket.remoteAddress]))
    return redirect
  }
  const ready = (head: RequestHead) => {
    if (head.url === '/fails') throw new Error('It fails.')
    return isPlain(head.url ?? '') ? visit(head) : undefined
  }
  const follow: Handler = async (req, res) => {
    const { url = '' } = req
    asked.push(url)
    if (url.startsWith('/later')) await turn()
    if (url === '/fails' || url === '/later-fails') throw new Error('It fails.')
    if (req.method === 'GET' && isPlain(url)) return sendRedirect(res, visit(req))
    if (req.url === '/last') res.setHeader('Connection', 'close')
    res.end(JSON.stringify(await allOf(req)))
  }
  const { isReady = true, fastLane = false, ...others } = options
  const asReady = isReady ? Object.assign(follow, { ready }) : follow
  const served = await serve([], { ...others, fastLane, follow: asReady })
  return { ...served, visits, asked }
}

function isPlain(url: string): boolean {
  return plain.includes(url.replace(/\?.*/, ''))
}

async function allOf(req: IncomingMessage): Promise<unknown> {
  // At once where there is no body: the next request may be here already.
  const body = req.complete || !hasBody(req) ? '' : await text(req)
  return [req.method, req.url, req.rawHeaders, body]
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/** A client that sends bytes as they are. */
export interface Client {
  readonly socket: Socket
  /** All that came back, every date left out. */
  said(): string
  /** Give a piece, and let it be read before the next one. */
  send(bytes: string): Promise<void>
  /** Say that there is no more, and give all that came back when it was over. */
  end(): Promise<string>
}

export async function client({
  port,
  from = '127.0.0.1',
}: Pick<Served, 'port'> & { from?: string }): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  let answers = ''
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).setEncoding('latin1')
  socket.on('data', answer => {
    answers += answer
  })
  onTestFinished(() => {
    socket.destroy()
  })
  const said = () => answers.replaceAll(/Date: [^\r]+ GMT\r\n/g, 'Date: now\r\n')
  await turns()
  return {
    socket,
    said,
    async send(bytes) {
      if (socket.writable) socket.write(bytes, 'latin1')
      await turns()
    },
    async end() {
      await turns()
      socket.end()
      await closed
      return said()
    },
  }
}

/** Server and client are in one process: what one writes the other has read some turns later. */
async function turns(): Promise<void> {
  for (let left = 6; left > 0; left -= 1) await turn()
}

export function get(url: string, headers = 'Host: a\r\n'): string {
  return `GET ${url} HTTP/1.1\r\n${headers}\r\n`
}
