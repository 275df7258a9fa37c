import fc from 'fast-check'
import { publicId } from '../../core/storage/public-id.ts'
import { bodyOf, type Operation, type Parameter, type Placed, type Schema } from './document.ts'

/** A request as somebody could send it who read the document, or did not read it well enough. */
export interface Request {
  readonly placed: Placed
  readonly path: string
  /** A text is sent as it is. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Requests for one operation: most of them nearly right, some of them broken. */
export function requestFor(placed: Placed): fc.Arbitrary<Request> {
  const { parameters } = placed.operation
  return fc
    .record({
      ids: fc.record(Object.fromEntries(named(parameters, 'path').map(it => [it.name, anyId]))),
      query: queryFor(named(parameters, 'query')),
      headers: headersFor(named(parameters, 'header')),
      body: bodyFor(placed.operation),
    })
    .map(({ ids, query, headers, body }) => ({
      placed,
      path:
        placed.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(ids[name]))) +
        query,
      body,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    }))
}

/** Values that the schema allows, or nearly. */
export function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueFor))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(rangeOf(schema))
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true, noDefaultInfinity: true })
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'object':
      return objectFor(schema)
    case 'string':
      return textFor(schema)
    default:
      return fc.jsonValue()
  }
}

const hostileTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  "'; drop table links; --",
  '%',
  '../..',
  'javascript:alert(1)',
  'x'.repeat(10_000),
)

/** Rows are numbered from 1, so these are mostly there. */
const anyId = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('lnk', 'tok', 'acc'), fc.integer({ min: 1, max: 4 }))
      .map(([kind, row]) => publicId(kind, row)),
  },
  { weight: 1, arbitrary: fc.constantFrom('free', 'pro', 'usage.closePeriods') },
  { weight: 1, arbitrary: hostileTexts.filter(text => text !== '' && text.isWellFormed()) },
)

const brokenValue = fc.oneof(fc.jsonValue(), hostileTexts)

function named(parameters: readonly Parameter[], place: Parameter['in']): readonly Parameter[] {
  return parameters.filter(it => it.in === place)
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const values = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, nearly(valueFor(schema))])),
    { requiredKeys: [] },
  )
  return fc.tuple(values, mostlyNothing(fc.constant({ unknown: '1' }))).map(([known, unknown]) => {
    const sent = Object.entries({ ...known, ...unknown }).map(([name, value]) => [
      name,
      `${textOf(value)}`,
    ])
    return sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
  })
}

function headersFor(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  return fc
    .record(
      Object.fromEntries(
        parameters.map(({ name }) => [name.toLowerCase(), fc.constantFrom('"1"', '"7"', '*', 'x')]),
      ),
      { requiredKeys: [] },
    )
    .map(headers => headers as Record<string, string>)
}

function bodyFor(operation: Operation): fc.Arbitrary<unknown> {
  const schema = bodyOf(operation)
  if (!schema) return fc.constant(undefined)
  return fc.oneof(
    { weight: 8, arbitrary: objectFor(schema) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          objectFor(schema),
          fc.dictionary(
            fc.constantFrom('__proto__', 'unknown', 'originalUrl', 'name'),
            brokenValue,
          ),
        )
        .map(([body, more]) => ({ ...body, ...more })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '{',
        '[]',
        'null',
        '"text"',
        `${'['.repeat(50)}${']'.repeat(50)}`,
      ),
    },
  )
}
