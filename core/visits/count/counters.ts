import type { Visit } from '../../plugin.ts'
import { dayOf } from '../facts/buckets.ts'
import { type Failure, failureOf, textOf } from '../facts/dimension-failures.ts'
import { isSummed, type NamedDimension } from '../facts/dimensions.ts'
import type { Owner } from '../facts/open-visit.ts'
import type { NameTable } from '../wire/name-table.ts'
import type { Marker } from './marker.ts'
import type { Asking, AskOf } from './memoize-dimensions.ts'

/** One dimension's question to visits: the number of a name, or a mark, or one of the below. */
export interface Counter {
  readonly dimension: NamedDimension
  /** What it failed of first since this was asked last. */
  takeFailure(): Failure | undefined
  readonly ask: AskOf<number>
  /** The number of the name that marks are left under; undefined where no marks are. */
  readonly marked: number | undefined
}

/** Answers that are neither. */
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

/** Notes what went wrong, and gives the answer that says so. */
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

/** Where a mark is drawn from a value, the value is gone. */
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
 * What counts for an owner is chosen once a batch, for visits of one batch share their owners; and the
 * next visit is mostly one of the same owner's links.
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

/** Short, and without what some database refuses to hold: half a character, or NUL. */
function tidy(value: string): string {
  const short = value.length > maxValueChars ? value.slice(0, maxValueChars) : value
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}
