import type { Schema } from '../../api/document.ts'

/** How a body is made larger. */
export interface Way {
  /** What there is of it at first. */
  readonly size: number
  grow(schema: Schema, size: number): unknown
}

/** Units of which a pattern could make too much. */
const units = [
  ...['a', 'a_', '-a', 'a.', ' ', '%', '@', '[', 'é', '/?a=', '0:', '1', '\n\t '],
  // Marks that have to be put into their order.
  '\u0315\u0300\u0327',
]

/** Ways to make a body large, each in all of its fields that can be. */
export const ways: Readonly<Record<string, Way>> = {
  'unknown fields': {
    size: 200,
    grow: (schema, size) => sampleOf(schema, { more: fields(size, i => [`x${i}`]) }),
  },
  'fields in both cases': {
    size: 100,
    grow: (schema, size) => sampleOf(schema, { more: fields(size, i => [`ab_c${i}`, `abC${i}`]) }),
  },
  'numbers in lists': {
    size: 10_000,
    grow: (schema, size) => inAll(schema, size, i => i),
  },
  'texts in lists': {
    size: 10_000,
    grow: (schema, size) => inAll(schema, size, i => `a${i}`),
  },
  'lists in lists': {
    size: 5_000,
    grow: (schema, size) => inAll(schema, size, () => [[]]),
  },
  items: {
    size: 100,
    grow: (schema, size) => sampleOf(schema, { items: size }),
  },
  'items that are wrong': {
    size: 100,
    grow: (schema, size) => sampleOf(schema, { items: size, text: 'a' }),
  },
  ...Object.fromEntries(
    units.map(unit => [
      `of ${JSON.stringify(unit)}`,
      {
        size: 100_000,
        grow: (schema: Schema, size: number) => {
          const texts = JSON.stringify(sampleOf(schema, { text: mark })).split(mark).length
          // Between letters, so that it is neither trimmed nor at the end.
          return sampleOf(schema, { text: `x${unit.repeat(size / unit.length / texts)}x` })
        },
      },
    ]),
  ),
}

const mark = '<text>'

function fields(size: number, names: (index: number) => readonly string[]): object {
  return Object.fromEntries(list(size, names).flatMap(some => some.map(name => [name, 1])))
}

/** So many of something, from 0. */
export function list<T>(size: number, item: (index: number) => T): readonly T[] {
  return Array.from({ length: size }, (_, index) => item(index))
}

/** Each field of the body is a list, and all lists together are so long. */
function inAll(schema: Schema, size: number, item: (index: number) => unknown): object {
  const names = Object.keys(schema.properties ?? {})
  const each = list(Math.ceil(size / names.length), item)
  return Object.fromEntries(names.map(name => [name, each]))
}

interface Making {
  /** Added to each object. */
  readonly more?: object
  /** How many there are in each list of the body itself. */
  readonly items?: number
  /** In the place of each text. */
  readonly text?: string
}

/** A body that a schema might take, with all that is asked for in it. */
function sampleOf(schema: Schema, making: Making, index = 0): unknown {
  const { anyOf, enum: words, const: only, type, items, properties, format, pattern } = schema
  const [first] = (anyOf ?? []).filter(it => it.type !== 'null')
  if (first) return sampleOf(first, making, index)
  if (words) return words[index % words.length]
  if (only !== undefined) return only
  if (type === 'array') {
    const { items: length = 1, ...inside } = making
    return list(length, each => sampleOf(items ?? {}, inside, each))
  }
  if (type === 'object') {
    const entries = Object.entries(properties ?? {})
    const known = entries.map(([name, it]) => [name, sampleOf(it, making, index)] as const)
    return { ...Object.fromEntries(known), ...making.more }
  }
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (making.text !== undefined) return making.text
  if (format === 'date-time') return '2030-01-01T00:00:00Z'
  return pattern?.includes('#') ? '#2F9E44' : `https://example.com/${index}`
}
