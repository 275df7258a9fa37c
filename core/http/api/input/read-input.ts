import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { SignedIn } from '../../../accounts/account.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { BlamedSchema } from '../../../lib/schema/failing-schema.ts'
import { type Casing, readNames } from '../../../lib/text/casing.ts'
import type { HeldBody } from '../../../limits/body-memory.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import { type FieldError, invalid, type Rejection } from '../../send/problem.ts'
import type { Route } from '../route/route.ts'
import { fieldErrors, type InputPart, sentenceOf, unknownField } from './field-errors.ts'
import { maxJsonBytes, maxStrangersBytes, parseObject, readJson } from './read-body.ts'
import { onlyRead, type SentBack, takeSentBack } from './sent-back.ts'

/** The input of a request, checked by its route's schemas; `sent` is the body as the client wrote it. */
export interface Input {
  readonly body: unknown
  readonly query: unknown
  readonly sent: unknown
  /** What the body has besides, of what can only be read. */
  readonly sentBack: SentBack
  /** Whether it is only to be tried. */
  readonly isDry: boolean
}

const noQuery = z.strictObject({})

/** The answer if a schema of a plugin throws. The log and health name the plugin. */
const checkFailed = refuse(
  'unavailable',
  'This cannot be checked at the moment, because a plugin has failed. Try again later.',
  503,
)

const nothing: Checked = { errors: [] }

/** Read and check a request's body and query. A rejection lists everything that is wrong at once. */
export async function readInput(
  route: Route,
  req: IncomingMessage,
  search: string,
  held: HeldBody,
  caller?: SignedIn,
): Promise<Input | Rejection> {
  const bytes = route.body ? await readJson(req, limitOf(route), held) : undefined
  if (isRefusal(bytes)) return bytes
  // Everything from here until the handler first waits is one piece of work.
  await yieldToRedirects()
  const sent = bytes && parseObject(bytes)
  if (isRefusal(sent)) return sent
  try {
    return checkAll(route, sent, search, onlyRead(route, caller))
  } catch (error) {
    if (!route.blame) throw error
    const { cause = error } = error as Error
    route.blame(cause)
    return checkFailed
  }
}

function checkAll(
  route: Route,
  sent: unknown,
  search: string,
  readOnly: ReadonlySet<string>,
): Input | Rejection {
  const body = route.body ? check(route.body, sent, 'body', route.casing, readOnly) : nothing
  const asked = readQuery(search)
  const dry = route.method === 'GET' || search === '' ? notDry : takeDryRun(asked, route.tries)
  const query =
    route.query || search !== ''
      ? check(route.query ?? noQuery, Object.fromEntries(asked), 'query', route.casing)
      : nothing
  if ('refused' in body) return body.refused
  if ('refused' in query) return query.refused
  const errors = [...body.errors, ...query.errors, ...dry.errors]
  if (errors.length > 0) return invalid(errors)
  const { value, sentBack = {} } = body
  return { body: value, query: query.value, sent, sentBack, isDry: dry.isDry }
}

const notDry = { isDry: false, errors: [] as readonly FieldError[] }

/**
 * Takes `dry_run` out of a query. No schema decides this, as those of plugins may take any name: where nothing can be tried, nobody
 * who asks for it may cause a write.
 */
function takeDryRun(asked: Map<string, string | string[]>, tries: true | undefined) {
  const sent = ['dry_run', 'dryRun'].flatMap(name => {
    const value = asked.get(name)
    asked.delete(name)
    return value === undefined ? [] : [value].flat().map(text => ({ name, text }))
  })
  const [first, ...others] = sent
  if (!first) return notDry
  const wrong = (code: string, message: string) => ({
    isDry: false,
    errors: [{ field: first.name, code, message }],
  })
  if (others.length > 0) return wrong('sent_twice', 'Send it once.')
  if (first.text !== 'true' && first.text !== 'false')
    return wrong('invalid', 'Must be true or false.')
  if (!tries)
    return wrong(
      'not_possible',
      'This cannot be tried, so nothing was done. Leave out dry_run to do it.',
    )
  return { ...notDry, isDry: first.text === 'true' }
}

/** Clients that we do not know may not keep us busy for long. */
function limitOf({ scope }: Route): number {
  return scope === 'anyone' ? maxStrangersBytes : maxJsonBytes
}

type Checked =
  | {
      readonly value?: unknown
      readonly sentBack?: SentBack
      readonly errors: readonly FieldError[]
    }
  | { readonly refused: Refusal }

/** Check a part of a body that was read; `sent` is that part as the client wrote it. */
export function checkPart<S extends z.ZodType>(
  schema: S,
  part: unknown,
  sent: unknown,
): { readonly value: z.output<S> } | Rejection {
  const result = parse(schema, part)
  if (isRefusal(result)) return result
  if (result.success) return { value: result.data }
  return invalid(fieldErrors(result.error.issues, sent, 'body', 'snake'))
}

/** Check what a plugin gives as the body of a request. */
export function checkInput<S extends z.ZodType>(
  schema: S,
  given: unknown,
  casing: Casing,
): { readonly value: z.output<S> } | Rejection {
  const checked = check(schema, given, 'body', casing)
  if ('refused' in checked) return checked.refused
  const { value, errors } = checked
  return errors.length > 0 ? invalid(errors) : { value: value as z.output<S> }
}

function check(
  schema: z.ZodType,
  sent: unknown,
  part: InputPart,
  casing: Casing = 'snake',
  readOnly: ReadonlySet<string> = new Set(),
): Checked {
  const { value, twice, unsafe } = readNames(sent)
  const { taken, sentBack } = takeSentBack(value, readOnly)
  const errors = twice.map(({ field, twin }) => ({
    field,
    code: 'sent_twice',
    message: `Is the same field as ${twin}. Send one of the two.`,
  }))
  const result = parse(schema, taken)
  if (isRefusal(result)) return { refused: result }
  if (!result.success) {
    return { errors: [...errors, ...fieldErrors(result.error.issues, sent, part, casing)] }
  }
  // In a record zod drops `__proto__` silently, so the client would not learn of it.
  return { value: result.data, sentBack, errors: [...errors, ...unsafe.map(unknownField)] }
}

/** Plugins make schemas too, whose own code runs here. If one throws, its plugin was named, and the request is refused. */
function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
): z.ZodSafeParseResult<z.output<S>> | Refusal {
  try {
    return schema.safeParse(value, { error: sentenceOf })
  } catch (error) {
    if (error instanceof BlamedSchema) return checkFailed
    throw new Error(`The check of ${failingPart(schema, value)} failed`, { cause: error })
  }
}

function failingPart(schema: z.ZodType, value: unknown): string {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
  const sent = Object(value) as Readonly<Record<string, unknown>>
  const failing = Object.entries(shape).find(([name, it]) => {
    try {
      it.safeParse(sent[name])
      return false
    } catch {
      return true
    }
  })
  return failing ? `the field ${failing[0]}` : 'all fields together'
}

/** `?a=1&b=2&b=3` -> `{ a: '1', b: ['2', '3'] }`. */
function readQuery(search: string): Map<string, string | string[]> {
  const sent = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = sent.get(name)
    if (before === undefined) sent.set(name, value)
    else if (typeof before === 'string') sent.set(name, [before, value])
    else before.push(value)
  }
  return sent
}
