import fc from 'fast-check'
import { toSnake } from '../inside.ts'
import type { Schema } from './document.ts'

/** Values that a schema allows; where the schema allows everything, any JSON. */
export function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueFor))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(fc.integer(rangeOf(schema, 20)), fc.maxSafeInteger())
    case 'number':
      return fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
    case 'string':
      return textFor(schema)
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: 5,
      })
    case 'object':
      return objectFor(schema)
    default:
      return fc.jsonValue()
  }
}

/** An object with all required fields and some of the others; either group may be empty. */
export function objectFor({ properties = {}, required = [] }: Schema) {
  const values = Object.entries(properties).map(([name, it]) => [name, nearly(it)] as const)
  return fc
    .record(Object.fromEntries(values), { requiredKeys: [...required] })
    .map(made =>
      Object.fromEntries(
        Object.entries(made).filter(([name]) => name === toSnake(name) || !(toSnake(name) in made)),
      ),
    )
}

/** Mostly values that the schema allows, sometimes others. */
export function nearly(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 15, arbitrary: valueFor(schema) },
    { weight: 1, arbitrary: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })) },
  )
}

/** Values that an attacker would try. */
export const hostileText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  "'; drop table links; --",
  '%_\\',
  '../..',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  'x'.repeat(10_000),
)

/** The words that this API knows, so that more than noise gets through. */
const tellingTexts = [
  'https://example.com/page?q=1',
  'http://bücher.example',
  'links:read',
  'links:write',
  '*',
  'visits,bots',
  'visitsOverTime',
]

function textFor({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.nat(5).map(one => `person${one}@example.org`)
  if (format === 'date-time') {
    const span = { min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }
    return fc.date(span).map(date => date.toISOString())
  }
  const expression = new RegExp(pattern ?? '')
  const noise = pattern
    ? fc.stringMatching(expression, { maxLength })
    : fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'binary' })
  const telling = tellingTexts.filter(text => expression.test(text))
  return telling.length === 0 ? noise : fc.oneof(noise, fc.constantFrom(...telling))
}

function rangeOf({ minimum = -10, maximum = 1_000 }: Schema, width: number) {
  return { min: minimum, max: Math.min(maximum, minimum + width) }
}
