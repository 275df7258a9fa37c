import { isDeepStrictEqual } from 'node:util'
import { nameAsSent, readNames } from '../../lib/text/casing.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import { type FieldError, invalid, type Rejection } from '../send/problem.ts'
import { checkIfMatch, versionIn } from './etag.ts'
import type { SentBack } from './input/sent-back.ts'
import type { Call, Reply, Route } from './route/route.ts'

/** Refuses to change what can only be read. */
export async function refuseSentBack(
  { reader, method }: Route,
  call: Call,
  sentBack: SentBack,
): Promise<Rejection | undefined> {
  const names = Object.keys(sentBack)
  if (!reader || names.length === 0) return undefined
  const query = reader.query?.safeParse({}).data ?? {}
  const reply = await reader.handle({ ...call, body: undefined, query, isDry: false })
  // `PUT` makes what is not there yet.
  const isMade = isRefusal(reply) && reply.status === 404 && method === 'PUT'
  if (isRefusal(reply) && !isMade) return reply
  const { body, headers = {} }: Reply = isRefusal(reply) ? { body: { data: {} } } : reply
  const shown = dataOf(body)
  const wrong = names.filter(
    it => !isDeepStrictEqual(lasting(sentBack[it], it), lasting(shown[it], it)),
  )
  if (wrong.length === 0) return undefined
  const stale = checkIfMatch(call.ifMatch, versionIn(headers.ETag) ?? '')
  return stale ?? invalid(wrong.map(name => readOnly(nameAsSent(call.sent, [name], 'snake'))))
}

function readOnly(field: string): FieldError {
  const message =
    'This can only be read, and is not this now. Leave it out, or read all of it again.'
  return { field, code: 'read_only', message }
}

function dataOf(body: unknown): Readonly<Record<string, unknown>> {
  const { value } = readNames(JSON.parse(JSON.stringify(body)))
  return (value as { readonly data: Readonly<Record<string, unknown>> }).data
}

/** A value without what goes on by itself, as visits do: that of an earlier reading is as good. */
function lasting(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(it => lasting(it))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, lasting(it, name)]))
  }
  if (typeof value === 'number') return counts.test(name) ? null : value
  if (typeof value !== 'string' || !moment.test(value)) return value
  // Programs write the same moment in other ways, such as without a zero at its end.
  return goesOn.test(name) ? null : Date.parse(value)
}

/** Numbers are counts, unless they are limits or prices. */
const counts = /^(?!max[A-Z]|amount$)/
const goesOn = /^(updatedAt|signedInAt|last[A-Z]\w*At)$/
const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/
