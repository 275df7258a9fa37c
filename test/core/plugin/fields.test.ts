import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  choice,
  date,
  type Field,
  field,
  type Json,
  list,
  number,
  sealed,
  secret,
  text,
  toggle,
} from '../../../core/plugin/fields.ts'

const accepts = ({ schema }: Pick<Field, 'schema'>, value: unknown) =>
  schema.safeParse(value).success

/** Values with whether the field takes them. */
type Cases = readonly (readonly [value: unknown, isTaken: boolean])[]

const cases: Readonly<Record<string, readonly [Pick<Field, 'schema' | 'control'>, string, Cases]>> =
  {
    text: [
      text({ label: 'A', max: 3, pattern: /^[a-z]+$/ }),
      'text',
      [
        ['abc', true],
        ['', false],
        ['abcd', false],
        ['A', false],
        [5, false],
      ],
    ],
    number: [
      number({ label: 'A', max: 10 }),
      'number',
      [
        [0, true],
        [10, true],
        [-1, false],
        [11, false],
        [1.5, false],
        ['1', false],
        [Number.NaN, false],
      ],
    ],
    'number in steps': [
      number({ label: 'A', min: -1, max: 1, step: 0.25 }),
      'number',
      [
        [-0.75, true],
        [0.3, false],
        [Number.POSITIVE_INFINITY, false],
      ],
    ],
    choice: [
      choice(['red', 'blue'], { label: 'A' }),
      'choice',
      [
        ['red', true],
        ['RED', false],
        ['', false],
      ],
    ],
    toggle: [
      toggle({ label: 'A' }),
      'toggle',
      [
        [false, true],
        ['true', false],
        [1, false],
      ],
    ],
    list: [
      list({ label: 'A', max: 2, maxEach: 3 }),
      'list',
      [
        [[], true],
        [['abc', 'd'], true],
        [['a', 'b', 'c'], false],
        [['abcd'], false],
        [[''], false],
        ['a', false],
      ],
    ],
    date: [
      date({ label: 'A' }),
      'date',
      [
        ['2026-12-24T18:00:00Z', true],
        ['2026-12-24T18:00:00.123+01:00', true],
        ['2026-12-24', false],
        ['2026-12-24T18:00:00', false],
        ['2026-02-30T00:00:00Z', false],
        [1_700_000_000_000, false],
      ],
    ],
    sealed: [
      sealed({ label: 'A', min: 4, max: 8 }),
      'password',
      [
        ['sesame', true],
        ['abc', false],
        ['sesame open', false],
      ],
    ],
    'any schema': [
      field(z.strictObject({ a: z.int() }), { label: 'A', control: 'map' }),
      'map',
      [
        [{ a: 1 }, true],
        [{ a: 1, b: 2 }, false],
      ],
    ],
  }

describe.each(Object.entries(cases))('a field of %s', (_, [field, control, values]) => {
  it(`has the control ${control}`, () => {
    expect(field.control).toBe(control)
  })

  it.each(values)('asked about %j says %s', (value, isTaken) => {
    expect(accepts(field, value)).toBe(isTaken)
  })

  it('can be described as JSON Schema', () => {
    expect(z.toJSONSchema(field.schema, { io: 'input' })).toBeDefined()
  })
})

describe('what is stored', () => {
  it('is what was given, and opens as it was', async () => {
    const colours = list({ label: 'Colours' })
    const stored = await colours.store(['red', 'blue'])
    expect(stored).toEqual(['red', 'blue'])
    expect(colours.open(stored)).toEqual(['red', 'blue'])
    expect(colours.shown?.of(stored)).toEqual(['red', 'blue'])
    expect(colours.shown?.of(undefined)).toBeNull()
  })

  it('of a date is in UTC, and opens as a date', async () => {
    const until = date({ label: 'Until' })
    const stored = await until.store('2026-12-24T18:00:00+01:00')
    expect(stored).toBe('2026-12-24T17:00:00.000Z')
    expect(until.open(stored)).toEqual(new Date('2026-12-24T17:00:00Z'))
    expect(until.shown?.of(stored)).toBe(stored)
  })

  it('of a sealed text is a hash, which shows as no more than that it is there', async () => {
    const password = sealed({ label: 'Password' })
    const stored = await password.store('sesame')
    expect(stored).toMatch(/^scrypt:/)
    expect(JSON.stringify(stored)).not.toContain('sesame')
    expect(await password.store('sesame')).not.toBe(stored)
    const opened = password.open(stored)
    expect([await opened.matches('sesame'), await opened.matches('Sesame')]).toEqual([true, false])
    expect(JSON.stringify(opened)).toBe('{}')
    expect(password.shown?.name('password')).toBe('hasPassword')
    expect([password.shown?.of(stored), password.shown?.of(undefined)]).toEqual([true, false])
  })

  it('fits the schema of what is shown, and so does nothing', async () => {
    const fields: readonly (readonly [Field, unknown])[] = [
      [text({ label: 'A' }) as Field, 'a'],
      [number({ label: 'A' }) as Field, 1],
      [toggle({ label: 'A' }) as Field, false],
      [date({ label: 'A' }) as Field, '2026-12-24T18:00:00+01:00'],
    ]
    for (const [field, given] of fields) {
      const stored: Json = await field.store(given)
      for (const value of [stored, undefined]) {
        expect(field.shown?.schema.safeParse(field.shown.of(value)).success).toBe(true)
      }
    }
  })

  it('of a secret is nothing, and it shows nowhere', async () => {
    const key = secret({ label: 'Key', env: 'A_KEY' })
    expect(await key.store('sesame')).toBeNull()
    expect([key.stored, key.shown, key.env]).toEqual([false, undefined, 'A_KEY'])
  })
})
