import type { Schema } from '../../api/document.ts'

/** A way to make a body larger. */
export interface Way {
  /** The initial amount. */
  readonly size: number
  grow(schema: Schema, size: number): unknown
}

/** Pieces that a regular expression may take too long for. */
const units = [
  ...['a', 'a_', '-a', 'a.', ' ', '%', '@', '[', 'é', '/?a=', '0:', '1', '\n\t '],
  // Combining marks, which must be put in order.
  '\u0315\u0300\u0327',
]

/** Ways to make a body large, each in every field that allows it. */
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

/** This many items, numbered from 0. */
export function list<T>(size: number, item: (index: number) => T): readonly T[] {
  return Array.from({ length: size }, (_, index) => item(index))
}

/** Makes each field of the body a list; all lists together have this length. */
function inAll(schema: Schema, size: number, item: (index: number) => unknown): object {
  const names = Object.keys(schema.properties ?? {})
  const each = list(Math.ceil(size / names.length), item)
  return Object.fromEntries(names.map(name => [name, each]))
}

interface Making {
  /** Extra fields for each object. */
  readonly more?: object
  /** The length of each list in the body itself. */
  readonly items?: number
  /** A replacement for each text. */
  readonly text?: string
}

/** A body that a schema might accept, with the requested changes. */
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
