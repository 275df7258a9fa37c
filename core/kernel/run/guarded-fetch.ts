import { setMaxListeners } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { inOwnNetwork, type OwnNetwork } from '../../lib/net/own-network.ts'
import { packChunks } from '../../lib/net/pack-chunks.ts'
import { parseUrl } from '../../lib/net/parse-url.ts'
import {
  createAskNameServers,
  isLocalhost,
  type Resolved,
  type ResolveName,
  resolveBySystem,
} from '../../lib/net/resolve-name.ts'
import {
  type Fetch,
  type Fetched,
  FetchFailed,
  type FetchOptions,
} from '../../plugin/services/fetch.ts'
import type { Unstable } from '../../plugin/unstable.ts'

export interface GuardedFetchOptions {
  /** Whether connections to an IP address are allowed. */
  isAllowed(address: string): boolean
  /** The only ports that may be connected to. Default: all. */
  readonly ports?: readonly number[]
  /** The private networks that requests with `toOwnNetwork` may also connect to, at any port. Default: none. */
  readonly ownNetwork?: OwnNetwork | undefined
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
  /** Finds the addresses of names. Default: the system for names from the operator, its name servers for all others. */
  readonly resolve?: ResolveName
}

/** One request with all its options set. */
interface Ask
  extends Pick<
    Required<FetchOptions>,
    'method' | 'headers' | 'maxBytes' | 'signal' | 'toOwnNetwork'
  > {
  readonly url: URL
  readonly body: FetchOptions['body']
}

const maxRedirects = 5

/** Responses that say another one will come, such as 103. Node reads more than a thousand of them in one turn. */
const maxInterim = 10

const redirects = [301, 302, 303, 307, 308]

/**
 * Creates a fetch that connects only to addresses that `isAllowed` accepts. Each name is resolved once, all its
 * addresses are checked, and only these are connected to. The remote address of the connection is checked again before
 * anything is sent. Redirects are checked in the same way. The system is asked only about names from the operator.
 */
export function createGuardedFetch({
  isAllowed,
  ports,
  ownNetwork = { networks: [], hosts: [] },
  signal: stopping,
  resolve,
}: GuardedFetchOptions): Fetch {
  const isOwn = inOwnNetwork(ownNetwork)
  const askNameServers = createAskNameServers()

  async function answerTo(ask: Ask): Promise<Fetched> {
    const host = bareHost(ask.url)
    const find = resolve ?? (ask.toOwnNetwork ? resolveBySystem : askNameServers)
    const found = await find(host, ask.signal)
    const addresses = found.map(({ address }) => address)
    if (addresses.length === 0) throw notAllowed(ask)
    if (ask.toOwnNetwork && isOwn(host, addresses)) {
      return read(await send(ask, onlyTo(found), address => addresses.includes(address)), ask)
    }
    if (!addresses.every(isAllowed)) throw notAllowed(ask)
    if (ports && !ports.includes(portOf(ask.url))) throw badPort
    return read(await send(ask, onlyTo(found), isAllowed), ask)
  }

  return async (address, options = {}) => {
    const { timeoutMs = 5_000, maxBytes = 1024 * 1024, method = 'GET', headers = {} } = options
    const deadline = startDeadline(timeoutMs, [
      stopping,
      ...(options.signal ? [options.signal] : []),
    ])
    const { signal } = deadline
    const { body, redirect, toOwnNetwork = false } = options
    let ask: Ask = { url: readUrl(address), method, headers, body, maxBytes, toOwnNetwork, signal }
    try {
      for (let count = 0; count <= maxRedirects; count += 1) {
        // Whatever a server or a resolver does, the deadline ends it.
        const fetched = await unlessAborted(signal, answerTo(ask))
        const next = redirect === 'manual' ? undefined : redirectOf(fetched, ask)
        if (!next) return fetched
        ask = next
      }
      throw new FetchFailed('it redirects too often')
    } catch (error) {
      const why = reasonOf(signal.aborted ? signal.reason : error)
      const isForbidden = error instanceof FetchFailed && error.isForbidden
      throw new FetchFailed(`${ask.url.host} does not answer: ${why}.`, { isForbidden })
    } finally {
      deadline.clear()
    }
  }
}

/** Returns a function that tells why a URL cannot be fetched, as far as that can be told without asking the DNS. */
export function createWhyNoFetch({
  isAllowed,
  ports,
  ownNetwork = { networks: [], hosts: [] },
}: Pick<GuardedFetchOptions, 'isAllowed' | 'ports' | 'ownNetwork'>): Unstable['whyNoFetch'] {
  const isOwn = inOwnNetwork(ownNetwork)
  return (text, { toOwnNetwork = false } = {}) => {
    try {
      const url = readUrl(text)
      const host = bareHost(url)
      const address = isLocalhost(host) ? '127.0.0.1' : host
      if (isIP(address) === 0) {
        // What a name stands for may be in a network of the operator, where all ports are allowed.
        return toOwnNetwork || isPort(url) ? undefined : badPort.message
      }
      if (toOwnNetwork && isOwn(host, [address])) return undefined
      if (!isAllowed(address)) return notAllowed({ url, toOwnNetwork }).message
      return isPort(url) ? undefined : badPort.message
    } catch (error) {
      return reasonOf(error)
    }
  }

  function isPort(url: URL): boolean {
    return !ports || ports.includes(portOf(url))
  }
}

function readUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base)
  if (!url) throw new FetchFailed('There is no URL to fetch.')
  if (!['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw forbidden('Only http and https URLs without a user name or password are fetched.')
  }
  return url
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** Removes the brackets that URLs put around IPv6 addresses. */
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

/** Replaces the DNS lookup of the connection, because a second lookup may return other addresses. */
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
  // Imported only for https, because most processes never need TLS.
  const request = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
  return new Promise((done, fail) => {
    const asking = request(url, { method, headers, agent: false, lookup, signal })
    asking.once('socket', socket => {
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '')) asking.destroy(notAllowed(ask))
      })
    })
    let interim = 0
    asking.on('information', () => {
      interim += 1
      if (interim <= maxInterim) return
      // Node first reads what came with them, which may be the response.
      fail(new Error('it sends too many interim responses'))
      asking.destroy()
    })
    asking.once('response', answer => {
      packChunks(answer, () => answer.destroy(new Error('it answers in too many small chunks')))
      done(answer)
    })
    asking.on('error', fail)
    // Node ends a connection that turns to another protocol without an error.
    asking.once('close', () => fail(new Error('it closed the connection without an answer')))
    asking.end(body)
  })
}

async function read(answer: IncomingMessage, { url, maxBytes }: Ask): Promise<Fetched> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop closes the connection.
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

/** The request that follows a redirect. The caller's headers are sent only to the origin that the caller named. */
function redirectOf({ status, headers }: Fetched, ask: Ask): Ask | undefined {
  const location = headers.get('location')
  const follows = ask.method === 'GET' || ask.method === 'HEAD'
  if (!follows || location === null || !redirects.includes(status)) return undefined
  const url = readUrl(location, ask.url)
  return { ...ask, url, headers: url.origin === ask.url.origin ? ask.headers : {} }
}

const badPort = forbidden('its port is not allowed')

function notAllowed({ toOwnNetwork, url }: Pick<Ask, 'toOwnNetwork' | 'url'>): FetchFailed {
  const why = 'its address is in a network that plugins must not connect to'
  // Allowing the network helps only if the URL came from the operator.
  return forbidden(toOwnNetwork ? `${why}, unless LINNET_FETCH_ALLOW names ${bareHost(url)}` : why)
}

function forbidden(why: string): FetchFailed {
  return new FetchFailed(why, { isForbidden: true })
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\.$/, '')
}

/**
 * Returns a signal that aborts after some time, or when any of the others does. Unlike `AbortSignal.any`, it leaves
 * nothing behind on signals that live as long as the process.
 */
function startDeadline(
  timeoutMs: number,
  others: readonly AbortSignal[],
): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  // Many requests may listen to the same signal, and that is not a leak.
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
