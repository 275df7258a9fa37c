import { checkCall } from './check-options.ts'
import {
  ConnectionError,
  LinnetError,
  ProblemError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'
import { type Answer, type Failure, type Gives, readAnswer } from './read-answer.ts'

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
  readonly gives: Gives | undefined
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

async function sendOnce(
  connection: Connection,
  { method, path, query, body, options, gives }: Outgoing,
  key: string | undefined,
): Promise<Answer | Failure> {
  const { url } = connection
  const { signal, timeoutMs = connection.timeoutMs, dryRun } = options
  signal?.throwIfAborted()
  const asked = questionOf({ ...query, ...(dryRun && { dry_run: true }) })
  const headers = headersOf(connection, options, key, body)
  const sent = body === undefined || isBytes(body) ? (body as Blob | undefined) : jsonOf(body)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    const response = await connection.fetch(`${url}/api/v1${path}${asked}`, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      // A redirect would drop the token, or turn a POST into a GET.
      redirect: 'manual',
      ...(sent !== undefined && { body: sent }),
      ...(isStream(body) && { duplex: 'half' }),
    })
    return await readAnswer(response, { url, gives, isConditional: headers.has('If-None-Match') })
  } catch (cause) {
    signal?.throwIfAborted()
    return {
      error: late.signal.aborted
        ? new TimeoutError(`${url} did not answer within ${timeoutMs} ms.`)
        : new ConnectionError(`${url} does not answer: ${reasonOf(cause)}`, { cause }),
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
): Headers {
  const type = isBytes(body) ? 'application/octet-stream' : 'application/json'
  const wanted = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': type }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...headers,
  }
  try {
    return new Headers(wanted)
  } catch (cause) {
    throw new LinnetError(`A header cannot be sent: ${reasonOf(cause)}`, { cause })
  }
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new LinnetError(`The body cannot be sent as JSON: ${reasonOf(cause)}`, { cause })
  }
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
