import { plainError } from '../../lib/caught.ts'
import type { Visit } from '../../plugin.ts'
import { dayOf } from '../facts/buckets.ts'
import { isSummed, type NamedDimension, textOf } from '../facts/dimensions.ts'
import type { Owner } from '../facts/open-visit.ts'
import type { NameTable } from '../wire/name-table.ts'
import type { Marker } from './marker.ts'
import type { Asking, AskOf } from './memoize-dimensions.ts'

/** Asks one dimension about visits: the answer is the number of a name, a mark, or one of the constants below. */
export interface Counter {
  readonly dimension: NamedDimension
  readonly ask: AskOf<number>
  /** The number of the name that marks belong to; undefined if the dimension leaves no marks. */
  readonly marked: number | undefined
}

/** Answers that are neither a name nor a mark. */
export const nothing = -1
export const failure = -2

const maxValueChars = 128

interface CounterParts {
  readonly names: NameTable
  readonly asking: Asking
  readonly markOf: Marker
  /** Receives the first error of each dimension, by its name. */
  readonly failures: Map<string, Error>
}

export function counterOf(
  dimension: NamedDimension,
  { names, asking: { once, each }, markOf, failures }: CounterParts,
): Counter {
  const askFor = (numberOf: (value: string, at: number) => number) => {
    return (visit: Visit, at = 0): number => {
      try {
        const value = dimension.of(visit, undefined)
        return value === undefined ? nothing : numberOf(textOf(value), at)
      } catch (error) {
        if (!failures.has(dimension.name)) failures.set(dimension.name, plainError(error))
        return failure
      }
    }
  }
  if (dimension.distinct) {
    // Once the mark is made, the value is gone.
    const ask = each(askFor((value, at) => markOf(value, dayOf(at))))
    return { dimension, ask, marked: nameOf(dimension, names) }
  }
  const ask = once(askFor(value => nameOf(dimension, names, tidyValue(value))))
  return { dimension, ask, marked: undefined }
}

function nameOf(dimension: NamedDimension, names: NameTable, value = ''): number {
  const { name, bots } = dimension
  return names.numberOf({
    dimension: name,
    value,
    bots: bots === true,
    summed: isSummed(dimension),
    marked: dimension.distinct === true,
  })
}

type Choose = (owner: Owner, isBot: boolean, totalsOnly: boolean) => readonly Counter[]

/**
 * Selects the counters for an owner once per batch, because the visits of a batch share their owners; the next visit
 * mostly belongs to the same owner.
 */
export function chooser(counters: readonly Counter[]): Choose {
  const byOwner = new Map<Owner, (readonly Counter[])[]>()
  let lastOwner: Owner | undefined
  let lastKinds: (readonly Counter[])[] = []
  return (owner, isBot, totalsOnly) => {
    if (owner !== lastOwner) {
      lastOwner = owner
      lastKinds = byOwner.get(owner) ?? []
      byOwner.set(owner, lastKinds)
    }
    const kind = (isBot ? 2 : 0) + (totalsOnly ? 1 : 0)
    lastKinds[kind] ??= counters.filter(
      ({ dimension: { name, bots, total } }) =>
        (bots === true) === isBot && (total || !totalsOnly) && owner.collect.includes(name),
    )
    return lastKinds[kind]
  }
}

/** Shortens a value, and removes what some databases refuse: half a surrogate pair, and NUL. */
export function tidyValue(value: string): string {
  const short = value.length > maxValueChars ? value.slice(0, maxValueChars) : value
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}
