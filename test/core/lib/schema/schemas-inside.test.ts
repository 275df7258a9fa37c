import { expect, it } from 'vitest'
import { z } from 'zod'
import { looseObjects } from '../../../../core/lib/schema/schemas-inside.ts'

it.each<[string, z.ZodType, string]>([
  ['the whole', z.object({}), 'body'],
  ['one that takes anything on purpose', z.looseObject({ a: z.string() }), 'body'],
  [
    'one with a name of its own',
    z.strictObject({ utm: z.object({ a: z.string() }).meta({ id: 'Utm' }) }),
    'body.utm',
  ],
  [
    'one deep inside',
    z.strictObject({
      rules: z
        .array(z.object({ a: z.string() }))
        .nullable()
        .optional(),
    }),
    'body.rules[]',
  ],
  ['one that is made later', z.strictObject({ a: z.lazy(() => z.object({})) }), 'body.a'],
])('an object that accepts unknown fields is found: %s', (_, schema, at) => {
  expect(looseObjects(schema, 'body')).toEqual([at])
})

it('nothing is found in a schema that is strict all the way down, even one that contains itself', () => {
  const tree: z.ZodType = z.lazy(() => z.strictObject({ branches: z.array(tree) }))
  expect(looseObjects(tree, 'body')).toEqual([])
})
