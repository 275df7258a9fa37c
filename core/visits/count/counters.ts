import type { Visit } from '../../plugin.ts'
import { dayOf } from '../facts/buckets.ts'
import { type Failure, failureOf, textOf } from '../facts/dimension-failures.ts'
import { isSummed, type NamedDimension } from '../facts/dimensions.ts'
import type { Owner } from '../facts/open-visit.ts'
import type { NameTable } from '../wire/name-table.ts'
import type { Marker } from './marker.ts'
import type { Asking, AskOf } from './memoize-dimensions.ts'

/** Asks one dimension about visits: the answer is the number of a name, a mark, or one of the constants below. */
export interface Counter {
  readonly dimension: NamedDimension
  /** Its first error since the last call. */
  takeFailure(): Failure | undefined
  readonly ask: AskOf<number>
  /** The number of the name that marks belong to; undefined if the dimension leaves no marks. */
  readonly marked: number | undefined
}

/** Answers that are neither a name nor a mark. */
export const nothing = -1
export const failure = -2

const maxValueChars = 128

export function counterOf(
  dimension: NamedDimension,
  names: NameTable,
  { once, each }: Asking,
  markOf: Marker,
): Counter {
  let first: Failure | undefined
  const fail: Fail = error => {
    first ??= failureOf(error)
    return failure
  }
  const takeFailure = () => {
    const taken = first
    first = undefined
    return taken
  }
  const asked = { dimension, takeFailure }
  return dimension.distinct
    ? { ...asked, ask: each(markBy(dimension, markOf, fail)), marked: nameOf(dimension, names) }
    : { ...asked, ask: once(numberBy(dimension, names, fail)), marked: undefined }
}

/** Notes an error, and returns the answer that stands for it. */
type Fail = (error: unknown) => number

function numberBy(dimension: NamedDimension, names: NameTable, fail: Fail) {
  return (visit: Visit): number => {
    try {
      const value = dimension.of(visit)
      return value === undefined ? nothing : nameOf(dimension, names, tidy(textOf(value)))
    } catch (error) {
      return fail(error)
    }
  }
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

/** Once the mark is made, the value is gone. */
function markBy({ of }: NamedDimension, markOf: Marker, fail: Fail) {
  return (visit: Visit, at: number): number => {
    try {
      const value = of(visit)
      return value === undefined ? nothing : markOf(textOf(value), dayOf(at))
    } catch (error) {
      return fail(error)
    }
  }
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
function tidy(value: string): string {
  const short = value.length > maxValueChars ? value.slice(0, maxValueChars) : value
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}
