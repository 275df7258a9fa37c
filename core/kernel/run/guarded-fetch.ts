import { lookup as resolveName } from 'node:dns/promises'
import { setMaxListeners } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import type { LookupFunction } from 'node:net'
import { inOwnNetwork, type OwnNetwork } from '../../lib/net/own-network.ts'
import { parseUrl } from '../../lib/net/parse-url.ts'
import { type Fetch, type Fetched, FetchFailed, type FetchOptions } from '../../plugin/fetch.ts'

export interface GuardedFetchOptions {
  /** Whether an IP address may be connected to. */
  isAllowed(address: string): boolean
  /** The only ports that are connected to; all unless given. */
  readonly ports?: readonly number[]
  /** What may be connected to besides, at any port, by who asks for that; nothing unless given. */
  readonly ownNetwork?: OwnNetwork | undefined
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
  /** The addresses of a name; the system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

interface Resolved {
  readonly address: string
  readonly family: number
}

/** One request, with everything decided. */
interface Ask
  extends Pick<
    Required<FetchOptions>,
    'method' | 'headers' | 'maxBytes' | 'signal' | 'toOwnNetwork'
  > {
  readonly url: URL
  readonly body: FetchOptions['body']
}

const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]

/**
 * A fetch that connects only where `isAllowed`: a name is resolved once, all its addresses are checked,
 * only those are connected to, and the address at the other end is looked at again before anything is
 * sent. Each redirect goes the same way.
 */
export function createGuardedFetch({
  isAllowed,
  ports,
  ownNetwork = { networks: [], hosts: [] },
  signal: stopping,
  resolve = host => resolveName(host, { all: true }),
}: GuardedFetchOptions): Fetch {
  const isOwn = inOwnNetwork(ownNetwork)

  async function answerTo(ask: Ask): Promise<Fetched> {
    const host = bareHost(ask.url)
    const found = await unlessAborted(ask.signal, resolve(host))
    const addresses = found.map(({ address }) => address)
    if (addresses.length === 0) throw notAllowed(ask)
    if (ask.toOwnNetwork && isOwn(host, addresses)) {
      return read(await send(ask, onlyTo(found), address => addresses.includes(address)), ask)
    }
    if (!addresses.every(isAllowed)) throw notAllowed(ask)
    if (ports && !ports.includes(portOf(ask.url))) throw new Error('its port is not allowed')
    return read(await send(ask, onlyTo(found), isAllowed), ask)
  }

  return async (address, options = {}) => {
    const { timeoutMs = 5_000, maxBytes = 1024 * 1024, method = 'GET', headers = {} } = options
    const deadline = startDeadline(timeoutMs, [
      stopping,
      ...(options.signal ? [options.signal] : []),
    ])
    const { signal } = deadline
    const { body, toOwnNetwork = false } = options
    let ask: Ask = { url: readUrl(address), method, headers, body, maxBytes, toOwnNetwork, signal }
    try {
      for (let count = 0; count <= maxRedirects; count += 1) {
        const fetched = await answerTo(ask)
        const next = redirectOf(fetched, ask)
        if (!next) return fetched
        ask = next
      }
      throw new FetchFailed('it redirects too often')
    } catch (error) {
      const why = reasonOf(signal.aborted ? signal.reason : error)
      throw new FetchFailed(`${ask.url.host} does not answer: ${why}.`)
    } finally {
      deadline.clear()
    }
  }
}

function readUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base)
  if (!url) throw new FetchFailed('There is no URL to fetch.')
  if (!['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new FetchFailed('Only http and https URLs without a user name or password are fetched.')
  }
  return url
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** Brackets mark an IPv6 address in a URL, and nowhere else. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    if (signal.aborted) fail(signal.reason)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    work.then(done, fail)
  })
}

/** In place of a second look into the DNS, which may say something else. */
function onlyTo(addresses: readonly Resolved[]): LookupFunction {
  const [first] = addresses
  return (_host, { all }, done) => {
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}

async function send(
  ask: Ask,
  lookup: LookupFunction,
  isAllowed: GuardedFetchOptions['isAllowed'],
): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = ask
  // Only then is TLS read, which most that starts never needs.
  const request = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
  return new Promise((done, fail) => {
    const asking = request(url, { method, headers, agent: false, lookup, signal })
    asking.once('socket', socket => {
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '')) asking.destroy(notAllowed(ask))
      })
    })
    asking.once('response', done)
    asking.on('error', fail)
    asking.end(body)
  })
}

async function read(answer: IncomingMessage, { url, maxBytes }: Ask): Promise<Fetched> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) break
  }
  return {
    status: answer.statusCode ?? 0,
    url: url.href,
    headers: headersOf(answer),
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    isWhole: bytes <= maxBytes,
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}

/** What the caller sent along is for the origin it named. */
function redirectOf({ status, headers }: Fetched, ask: Ask): Ask | undefined {
  const location = headers.get('location')
  const follows = ask.method === 'GET' || ask.method === 'HEAD'
  if (!follows || location === null || !redirects.includes(status)) return undefined
  const url = readUrl(location, ask.url)
  return { ...ask, url, headers: url.origin === ask.url.origin ? ask.headers : {} }
}

function notAllowed({ toOwnNetwork, url }: Ask): FetchFailed {
  const why = 'its address is in a network that plugins must not connect to'
  // Only where the operator gave the URL does it help to allow its network.
  return new FetchFailed(
    toOwnNetwork ? `${why}, unless LINNET_FETCH_ALLOW names ${bareHost(url)}` : why,
  )
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\.$/, '')
}

/**
 * A signal that aborts after some time, or with any of the others. It leaves nothing behind on signals
 * that live as long as the process, as `AbortSignal.any` would.
 */
function startDeadline(
  timeoutMs: number,
  others: readonly AbortSignal[],
): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  // Many may wait for the same stop, and that is no leak.
  setMaxListeners(0, controller.signal, ...others)
  const stop = () => controller.abort(new Error('it was stopped'))
  const late = () => controller.abort(new Error(`nothing within ${timeoutMs} ms`))
  const timer = setTimeout(late, timeoutMs)
  for (const other of others) {
    if (other.aborted) stop()
    other.addEventListener('abort', stop, { once: true })
  }
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      for (const other of others) other.removeEventListener('abort', stop)
    },
  }
}
