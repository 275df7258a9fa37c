import type { IncomingMessage } from 'node:http'
import { excessOf, parseJson } from '../../../lib/text/json.ts'
import type { HeldBody } from '../../../limits/body-memory.ts'
import type { Json } from '../../../plugin/fields.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { BodyKind } from '../../../plugin.ts'
import { invalid } from '../../send/problem.ts'

/** The largest body, and the largest body from somebody unknown, in bytes. */
export const maxJsonBytes = 1024 * 1024
export const maxStrangersBytes = 16 * 1024

const notJson = refuse(
  'unsupported_media_type',
  'Send the body as `Content-Type: application/json`, in UTF-8 and not compressed.',
  415,
)
const malformed = refuse('malformed_json', 'The body is not valid JSON.', 400)

/** RFC 7396: null clears a field, and an absent one stays, as in every `PATCH` of the API. */
const mergePatch = 'application/merge-patch+json'

const emptyObject = Buffer.from('{}')

/** A request's body, which must be JSON; `{}` when it has none. */
export async function readJson(
  req: IncomingMessage,
  maxBytes: number,
  held: HeldBody,
): Promise<Buffer | Refusal> {
  if (!hasBody(req)) return emptyObject
  const isPatch = req.method === 'PATCH'
  const type = mediaType(req)
  if (type !== 'application/json' && !(isPatch && type === mergePatch)) return notJson
  return readBytes(req, { maxBytes, kind: 'json', held })
}

/** The answers in the body of a form, sent as a form or as a JSON object of texts. */
export async function readForm(
  req: IncomingMessage,
  held: HeldBody,
): Promise<Readonly<Record<string, string>> | Refusal> {
  if (!hasBody(req)) return {}
  const type = mediaType(req)
  if (type !== 'application/x-www-form-urlencoded' && type !== 'application/json') return notForm
  const kind = type === 'application/json' ? 'json' : 'form'
  const bytes = await readBytes(req, { maxBytes: maxStrangersBytes, kind, held })
  if (isRefusal(bytes)) return bytes
  if (kind === 'json') {
    const sent = parseObject(bytes)
    return isRefusal(sent) ? sent : onlyTexts(sent)
  }
  const text = textOf(bytes)
  return isRefusal(text) ? text : Object.fromEntries(new URLSearchParams(text))
}

const notForm = refuse(
  'unsupported_media_type',
  'Send the answers as a form, or as JSON in UTF-8, not compressed.',
  415,
)

/** RFC 9112, section 6.3: a request has a body when it says how long it is. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The media type, lower case; empty when the body is not plain UTF-8. */
export function mediaType({ headers }: IncomingMessage): string {
  const encoding = headers['content-encoding'] ?? 'identity'
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map(it => it.trim()).find(it => it.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 && encoding.toLowerCase() === 'identity' ? type.trim() : ''
}

/** How a body is read. */
interface Reading {
  readonly maxBytes: number
  readonly kind: BodyKind
  readonly held: HeldBody
}

/**
 * Never holds more than `maxBytes`, nor what there is no memory for beside other bodies. What comes meanwhile is dropped, and
 * the rest is left unread once the request is answered.
 */
export function readBytes(
  req: IncomingMessage,
  { maxBytes, kind, held }: Reading,
): Promise<Buffer | Refusal> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.resolve(tooLarge(maxBytes))
  }
  // It was gone before anybody read it, and tells nobody again.
  if (req.destroyed) return Promise.resolve(incomplete)
  return new Promise(resolve => {
    const body: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) return finish(tooLarge(maxBytes))
      const refused = held.hold(chunk.length, kind)
      if (refused) finish(refused)
      else body.push(chunk)
    }
    const finish = (result: Buffer | Refusal) => {
      req.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve(result)
    }
    const onEnd = () => finish(Buffer.concat(body))
    const onClose = () => finish(incomplete)
    req.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

const incomplete = refuse('malformed_json', 'The body is incomplete.', 400)

/** Visitors read this too, for example when they paste a book into a password field. */
function tooLarge(maxBytes: number): Refusal {
  const detail = {
    en: `The body is larger than ${maxBytes} bytes.`,
    de: `Die Eingabe ist größer als ${maxBytes} Bytes.`,
    fr: `La saisie dépasse ${maxBytes} octets.`,
    es: `Lo introducido supera los ${maxBytes} bytes.`,
  }
  return refuse('payload_too_large', detail, 413)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function textOf(bytes: Buffer): string | Refusal {
  try {
    return decoder.decode(bytes)
  } catch {
    return refuse('malformed_json', 'The body is not valid UTF-8.', 400)
  }
}

/** The object in a JSON body. Refused: anything else, or too much to check. */
export function parseObject(bytes: Buffer): object | Refusal {
  const parsed = parseAny(bytes)
  if (isRefusal(parsed)) return parsed
  const { value } = parsed
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return invalid([{ field: 'body', code: 'invalid_type', message: 'Must be an object.' }])
}

/** What a JSON body says. Refused: what is not JSON, or too much to check. */
export function parseAny(bytes: Buffer): { readonly value: Json } | Refusal {
  const text = textOf(bytes)
  if (isRefusal(text)) return text
  const excess = excessOf(bytes)
  if (excess?.of === 'depth') return refuse('malformed_json', excess.detail, 400)
  if (excess) return refuse('payload_too_large', excess.detail, 413)
  const value = parseJson(text)
  return value === undefined ? malformed : { value: value as Json }
}

function onlyTexts(sent: object): Readonly<Record<string, string>> | Refusal {
  const wrong = Object.entries(sent).filter(([, value]) => typeof value !== 'string')
  if (wrong.length === 0) return { ...sent }
  return invalid(
    wrong.map(([field]) => ({ field, code: 'invalid_type', message: 'Must be a text.' })),
  )
}
