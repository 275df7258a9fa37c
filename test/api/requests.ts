import fc from 'fast-check'
import { publicId } from '../inside.ts'
import { bodyOf, type Parameter, type Placed, type Schema } from './document.ts'
import { hostileText, nearly, objectFor } from './values.ts'

/** A request that follows the document, or nearly does. */
export interface Request {
  /** The id of the operation. */
  readonly id: string
  readonly method: string
  /** The path below the base of the API, with its query. */
  readonly path: string
  /** A string is sent as it is. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Requests for one operation: most are nearly right, some are broken. */
export function requestFor({ method, path, operation }: Placed): fc.Arbitrary<Request> {
  const { parameters, operationId: id } = operation
  const schema = bodyOf(operation)
  return fc
    .record({
      thing: anyId,
      query: queryFor(parameters.filter(it => it.in === 'query')),
      headers: headersFor(parameters.filter(it => it.in === 'header')),
      body: schema ? bodyFor(schema) : fc.constant(undefined),
    })
    .map(({ thing, query, headers, body }) => ({
      id,
      method,
      path: path.slice('/api/v1'.length).replace(/\{\w+\}/, encodeURIComponent(thing)) + query,
      body,
      headers: { ...(typeof body === 'string' && json), ...headers },
    }))
}

const json = { 'content-type': 'application/json' }

/** Rows are numbered from 1, so most of these exist. */
const anyId = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ kind: fc.constantFrom('lnk', 'tok', 'acc'), row: fc.integer({ min: 1, max: 3 }) })
      .map(({ kind, row }) => publicId(kind, row)),
  },
  { weight: 2, arbitrary: fc.constantFrom('free', 'unlimited', 'visits.tidyCounts', 'nothing') },
  { weight: 1, arbitrary: hostileText.filter(text => text !== '' && text.isWellFormed()) },
)

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = Object.fromEntries(parameters.map(({ name, schema }) => [name, nearly(schema)]))
  const unknown = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ unknown: '1', __proto__: 'x', page: 'NaN' }) },
  )
  return fc.tuple(fc.record(known, { requiredKeys: [] }), unknown).map(parts => {
    const sent = Object.entries(Object.assign({}, ...parts)).map(([name, value]) => {
      const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
      return `${name}=${encodeURIComponent(text)}`
    })
    return sent.length === 0 ? '' : `?${sent.join('&')}`
  })
}

function headersFor(parameters: readonly Parameter[]) {
  const values = fc.constantFrom('"1"', '"2"', '*', 'W/"1"', 'nonsense')
  return fc.record(Object.fromEntries(parameters.map(({ name }) => [name.toLowerCase(), values])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Record<string, string>>
}

function bodyFor(schema: Schema): fc.Arbitrary<unknown> {
  const strange = fc.dictionary(fc.constantFrom('__proto__', 'id', 'original_url'), fc.jsonValue())
  return fc.oneof(
    { weight: 16, arbitrary: objectFor(schema) },
    {
      weight: 2,
      arbitrary: fc.tuple(objectFor(schema), strange).map(both => Object.assign({}, ...both)),
    },
    { weight: 2, arbitrary: fc.constantFrom('{', '[]', 'null', '"text"', '['.repeat(50)) },
  )
}
