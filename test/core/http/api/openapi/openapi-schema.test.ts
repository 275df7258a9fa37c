import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeSchema } from '../../../../../core/http/api/openapi/openapi-schema.ts'

it('a schema is described once for each part and casing, because most outlive the switch of a plugin', () => {
  const schema = z.strictObject({ shortCode: z.string() })
  const inSnake = describeSchema(schema, 'query', 'snake')
  expect(describeSchema(schema, 'query', 'snake')).toBe(inSnake)
  const names = [
    inSnake,
    describeSchema(schema, 'query', 'camel'),
    describeSchema(schema, 'answer', 'snake'),
  ].map(it => Object.keys(it.schema.properties ?? {}))
  expect(names).toEqual([['short_code'], ['shortCode'], ['shortCode']])
})
