import { checkCall } from './check-options.ts'
import {
  ConnectionError,
  errorOf,
  type LinnetError,
  type ProblemBody,
  ProblemError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'

/** Where the server is and how patient the client is with it. */
export interface Connection {
  /** Such as `https://go.example.org`. */
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly longestWaitMs: number
  readonly fetch: typeof fetch
  readonly onRetry: ((retry: Retry) => void) | undefined
}

/** A request that is about to be sent again. */
export interface Retry {
  /** What went wrong. */
  readonly error: LinnetError
  /** How long the client waits first. */
  readonly waitMs: number
  /** 1 for the first time that it is sent again. */
  readonly attempt: number
}

/** What any call takes as its last argument. */
export interface CallOptions {
  /** Ends the call, also while it waits to try again. */
  readonly signal?: AbortSignal
  /** For each attempt, in place of that of the client. */
  readonly timeoutMs?: number
  /** How often it is sent again, in place of that of the client. */
  readonly retries?: number
  /** Try the request: the answer is as it would be, and nothing changes. */
  readonly dryRun?: boolean
  /**
   * Names what the request does, so that it is done once, whoever sends it again within a day. The client makes one for
   * each call; give your own to repeat a call after your program was restarted.
   */
  readonly idempotencyKey?: string
  /** An `ETag`, for the version that may be changed. */
  readonly ifMatch?: string
  /** An `ETag`, for the version that is known. */
  readonly ifNoneMatch?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request, with its path below `/api/v1`. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  readonly options: CallOptions
}

/** What came back: a body of JSON as its value, anything else as the response of `fetch`, unread. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Sends a request until it is answered or there is no hope. Throws what is no success; 304 is one. */
export async function send(connection: Connection, outgoing: Outgoing): Promise<Answer> {
  const { options, method, body } = outgoing
  checkCall(options)
  const { retries = connection.retries, signal } = options
  const key = method === 'GET' ? undefined : (options.idempotencyKey ?? newKey())
  // Keys belong to an account, so without a token a repeated request could do something twice.
  const isRepeatable = method === 'GET' || (connection.token !== undefined && !isStream(body))
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(connection, outgoing, key)
    if (!('error' in outcome)) return outcome
    const { error, retryAfterMs = 0 } = outcome
    const waitMs = Math.max(retryAfterMs, backoffMs(attempt))
    const isHopeless = !isRepeatable || !passes(error) || attempt > retries
    if (isHopeless || waitMs > connection.longestWaitMs) throw error
    connection.onRetry?.({ error, waitMs, attempt })
    await pause(waitMs, signal)
  }
}

interface Failure {
  readonly error: LinnetError
  readonly retryAfterMs?: number | undefined
}

async function sendOnce(
  connection: Connection,
  { method, path, query, body, options }: Outgoing,
  key: string | undefined,
): Promise<Answer | Failure> {
  const { signal, timeoutMs = connection.timeoutMs, dryRun } = options
  signal?.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const asked = questionOf({ ...query, ...(dryRun && { dry_run: true }) })
  const isPlain = body === undefined || isBytes(body)
  try {
    const response = await connection.fetch(`${connection.url}/api/v1${path}${asked}`, {
      method,
      headers: headersOf(connection, options, key, body),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      // A redirect would drop the token, or turn a POST into a GET.
      redirect: 'manual',
      ...(body !== undefined && { body: isPlain ? (body as Blob) : JSON.stringify(body) }),
      ...(isStream(body) && { duplex: 'half' }),
    })
    return await outcomeOf(response, connection.url)
  } catch (cause) {
    signal?.throwIfAborted()
    return {
      error: late.signal.aborted
        ? new TimeoutError(`${connection.url} did not answer within ${timeoutMs} ms.`)
        : new ConnectionError(`${connection.url} does not answer: ${reasonOf(cause)}`, { cause }),
    }
  } finally {
    clearTimeout(timer)
  }
}

function headersOf(
  { token }: Connection,
  { ifMatch, ifNoneMatch, headers }: CallOptions,
  key: string | undefined,
  body: unknown,
): Record<string, string> {
  const type = isBytes(body) ? 'application/octet-stream' : 'application/json'
  return {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': type }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...headers,
  }
}

async function outcomeOf(response: Response, url: string): Promise<Answer | Failure> {
  const { status, headers } = response
  const type = headers.get('Content-Type') ?? ''
  const isJson = /^application\/(problem\+)?json\b/.test(type)
  // Every answer of the API has an id. Anything else that says 200 has done nothing of what was asked.
  const isSuccess = (response.ok || status === 304) && headers.has('X-Request-Id')
  if (isSuccess && !isJson) return { status, headers, body: response }
  const text = await response.text()
  const body = isJson ? parsed(text) : undefined
  if (isSuccess && body !== undefined) return { status, headers, body }
  const retryAfterMs = waitOf(headers.get('Retry-After'))
  if (isProblem(body)) return { error: errorOf(body), retryAfterMs }
  const to = headers.get('Location')
  const sentence = to
    ? `${url} leads on to ${to}: use that address.`
    : `${url} answered ${status || 'with a redirect'}, but not as Linnet does. Is this its address?`
  return { error: new UnexpectedAnswerError(sentence, status), retryAfterMs }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'errors' in body
}

/** Whether the same request may succeed a little later. */
function passes(error: LinnetError): boolean {
  if (error instanceof ConnectionError) return true
  if (error instanceof ProblemError && error.code === 'request_in_progress') return true
  const isAnswer = error instanceof ProblemError || error instanceof UnexpectedAnswerError
  return isAnswer && [408, 429, 502, 503, 504].includes(error.status)
}

/** A quarter of a second, then twice as long each time, and up to half of that less, so that clients do not come at once. */
function backoffMs(attempt: number): number {
  return Math.min(250 * 2 ** (attempt - 1), 8_000) * (1 - Math.random() / 2)
}

/** `Retry-After` in milliseconds: seconds, or a date, as some proxies send. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Lists are repeated; what is not given is left out. */
function questionOf(query: object): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const it of [value].flat()) {
      if (it !== undefined && it !== null) pairs.append(name, textOf(it))
    }
  }
  return pairs.size === 0 ? '' : `?${pairs}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function isStream(body: unknown): body is ReadableStream {
  return typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
}

function isBytes(body: unknown): boolean {
  return (
    isStream(body) ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  )
}

/** Runtimes say why in the cause, or in one of its errors. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first] = error instanceof AggregateError ? error.errors : [error.cause]
  return first instanceof Error ? reasonOf(first) : error.message
}

/** `crypto.randomUUID` does not exist in pages that came over plain http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
}
