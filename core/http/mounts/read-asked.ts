import type { IncomingMessage } from 'node:http'
import { preferredLanguage } from '../../lib/text/weighted.ts'
import type { HeldBody } from '../../limits/body-memory.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { BodyKind, CustomHost, Mount, MountAsked, MountMethod } from '../../plugin.ts'
import { hasBody, mediaType, parseAny, readBytes, textOf } from '../api/input/read-body.ts'
import { readFields, readMultipart } from './read-multipart.ts'

type Body = Pick<MountAsked, 'input' | 'json' | 'uploads' | 'bytes'>

/** How large a body may be, unless the mount says more. */
const smallBody = 16 * 1024

const nothing: Body = { input: {}, json: undefined, uploads: [], bytes: new Uint8Array() }

const wrongType = refuse(
  'unsupported_media_type',
  'The body is of a type that is not read here, or is compressed or not UTF-8.',
  415,
)

/** Where a request came: the mount and its key, the client and the custom host. */
export interface AskedOf {
  readonly key: string
  readonly mount: Mount
  readonly visitor: string
  readonly host: CustomHost | undefined
}

/** What a request to a mount says, its body left out; undefined if its path leads out of the mount, as `/bio/../x` does. */
export function readHead(
  req: IncomingMessage,
  { key, mount, visitor, host }: AskedOf,
): MountAsked | undefined {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
  if (!`${pathname}/`.startsWith(`/${key}/`)) return undefined
  const sent = (mount.headers ?? []).map(name => [name, req.headers[name]?.toString()])
  return {
    ...nothing,
    method: (req.method === 'HEAD' ? 'GET' : req.method) as MountMethod,
    path: pathname.slice(key.length + 2),
    query: searchParams,
    headers: Object.fromEntries(sent.filter(([, value]) => value !== undefined)),
    input: Object.fromEntries(searchParams),
    host: host?.name ?? '',
    accountId: host?.accountId ?? undefined,
    visitor,
    language: preferredLanguage(String(req.headers['accept-language'] ?? '')),
  }
}

/** The same with its body, of one of the kinds that the mount takes. */
export async function readBody(
  req: IncomingMessage,
  head: MountAsked,
  { bodies = ['form', 'json'], maxBytes = smallBody }: Mount,
  held: HeldBody,
): Promise<MountAsked | Refusal> {
  if (head.method === 'GET' || !hasBody(req)) return head
  const kind = kindOf(mediaType(req), bodies)
  if (!kind) return wrongType
  const bytes = await readBytes(req, { maxBytes, kind, held })
  if (isRefusal(bytes)) return bytes
  const body = await parse(kind, bytes, req.headers['content-type'] ?? '')
  if (isRefusal(body)) return body
  return { ...head, ...nothing, ...body, bytes, input: { ...head.input, ...body.input } }
}

function kindOf(type: string, bodies: readonly BodyKind[]): BodyKind | undefined {
  const kind = kinds.find(([, form]) => form.test(type))?.[0]
  if (kind && bodies.includes(kind)) return kind
  return bodies.includes('bytes') ? 'bytes' : undefined
}

const kinds: readonly (readonly [BodyKind, RegExp])[] = [
  ['form', /^application\/x-www-form-urlencoded$/],
  ['json', /^application\/([\w.-]+\+)?json$/],
  ['multipart', /^multipart\/form-data$/],
]

async function parse(
  kind: BodyKind,
  bytes: Buffer,
  type: string,
): Promise<Partial<Body> | Refusal> {
  if (kind === 'multipart') {
    const form = await readMultipart(type, bytes)
    return isRefusal(form) ? form : { input: form.fields, uploads: form.uploads }
  }
  if (kind === 'form') {
    const text = textOf(bytes)
    const input = isRefusal(text) ? text : readFields(text)
    return isRefusal(input) ? input : { input }
  }
  if (kind === 'bytes') return {}
  const parsed = parseAny(bytes)
  return isRefusal(parsed) ? parsed : { json: parsed.value, input: textsIn(parsed.value) }
}

/** Those members of a JSON object that a form could have, too: texts, and numbers and truths as texts. */
function textsIn(json: unknown): Readonly<Record<string, string>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return {}
  const said = Object.entries(json).filter(([, value]) =>
    /^(string|number|boolean)$/.test(typeof value),
  )
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]))
}
