import {
  errorOf,
  type LinnetError,
  type ProblemBody,
  UnexpectedAnswerError,
  type WrongField,
} from './errors.ts'

/** What an operation answers with: an object, list or page as `data` of JSON, any JSON, a file, or nothing. */
export type Gives = 'object' | 'list' | 'page' | 'json' | 'file' | 'nothing'

/** What came back: a body of JSON as its value, anything else as the response of `fetch`, unread. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Failure {
  readonly error: LinnetError
  readonly retryAfterMs?: number | undefined
}

interface Expected {
  readonly url: string
  /** Undefined for what is not known, as of a plugin. */
  readonly gives: Gives | undefined
  /** Whether 304 may be the answer. */
  readonly isConditional: boolean
}

/** A whole page of the largest links has a few megabytes. */
const mostJsonBytes = 64 * 2 ** 20

/** Tells what was asked for from a refusal, and from what no Linnet answers. */
export async function readAnswer(
  response: Response,
  { url, gives, isConditional }: Expected,
): Promise<Answer | Failure> {
  const { status, headers } = response
  const isJson = /^application\/(problem\+)?json *(;|$)/i.test(headers.get('Content-Type') ?? '')
  // Every answer of the API has an id. Anything else that says 200 has done nothing of what was asked.
  const isOurs = headers.has('X-Request-Id')
  const isSame = status === 304 && isConditional
  const isFile = gives === undefined || gives === (status === 204 ? 'nothing' : 'file')
  if (isOurs && (isSame || (response.ok && !isJson && isFile))) {
    return { status, headers, body: response }
  }
  const retryAfterMs = waitOf(headers.get('Retry-After'))
  const unexpected = (sentence: string) => ({
    error: new UnexpectedAnswerError(sentence, status),
    retryAfterMs,
  })
  const to = headers.get('Location')
  if (to && status < 400 && !response.ok)
    return unexpected(`${url} leads on to ${to}: use that address.`)
  const text = isJson ? await textOf(response) : await response.body?.cancel()
  if (text === null) {
    return unexpected(`${url} answered with more than ${mostJsonBytes / 2 ** 20} MiB of JSON.`)
  }
  const body = text === undefined ? undefined : parsed(text)
  if (isOurs && response.ok && fits(body, gives)) return { status, headers, body }
  if (status >= 400 && isProblem(body)) return { error: errorOf({ ...body, status }), retryAfterMs }
  return unexpected(
    `${url} answered ${status || 'with a redirect'}, but not as Linnet does. Is this its address?`,
  )
}

/** The text of a body; null if it is too large, undefined if it is none. */
async function textOf({ body }: Response): Promise<string | null | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = body?.getReader()
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) break
    chunks.push(value)
    bytes += value.byteLength
    if (bytes > mostJsonBytes) {
      await reader?.cancel()
      return null
    }
  }
  const whole = await new Blob(chunks).arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fits(body: unknown, gives: Gives | undefined): boolean {
  if (gives === undefined || gives === 'json') return body !== undefined
  if (!isObject(body)) return false
  const { data, meta } = body
  if (gives === 'object') return isObject(data)
  if (gives === 'list') return Array.isArray(data)
  if (gives !== 'page' || !Array.isArray(data) || !isObject(meta)) return false
  return meta.nextCursor === null || typeof meta.nextCursor === 'string'
}

function isProblem(body: unknown): body is ProblemBody {
  if (!isObject(body)) return false
  const { code, detail, requestId, errors } = body
  const areTexts = [code, detail, requestId].every(it => typeof it === 'string')
  return areTexts && Array.isArray(errors) && errors.every(isWrongField)
}

function isWrongField(error: unknown): error is WrongField {
  if (!isObject(error)) return false
  return [error.field, error.code, error.message].every(it => typeof it === 'string')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `Retry-After` in milliseconds: seconds, or a date, as some proxies send. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
