import type { Visit } from '../plugin.ts'
import { dayOf } from './buckets.ts'
import type { NamedDimension } from './dimensions.ts'
import type { Marker } from './marker.ts'
import { createNameTable, type NameTable } from './name-table.ts'
import { linkOf, momentOf, numberIn, numberTexts } from './numbered-visits.ts'
import { column, type PackedVisits } from './packed-visits.ts'
import type { PlaceOf } from './place.ts'
import { type AskOf, rememberByFacts } from './remember-by-facts.ts'
import type { Owner } from './visit.ts'

/** What is left of visits once they are worked out: nothing in it tells who the visitors were. */
export interface CountedVisits {
  /** What visits count under, by number. */
  readonly names: NameTable
  readonly visits: readonly CountedVisit[]
}

export interface CountedVisit {
  readonly linkId: number
  readonly owner: Owner
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly isBot: boolean
  /** Numbers of names. */
  readonly names: readonly number[]
  /** Marks with the numbers of their names: see `namedMark`. */
  readonly marks: readonly number[]
}

/** More than any mark: a name and a mark in one number are told apart by it. */
const markSpan = 2 ** 16

/** The number of a name, and the mark that a visit left under it. */
export function namedMark(number: number): { readonly name: number; readonly mark: number } {
  return { name: Math.floor(number / markSpan), mark: number % markSpan }
}

const maxValueChars = 128

/** Answers of a dimension that are no number. */
const nothing = -1
const failure = -2

/** One dimension's question to the visits of a batch: the number of a name or mark, or one of the above. */
interface Counter {
  readonly dimension: NamedDimension
  readonly ask: AskOf<number>
}

/**
 * Work out each visit once. What a dimension could not say is left out and counted by dimension; a
 * visit of which nothing is collected is left out whole.
 */
export function countVisits(
  packed: PackedVisits,
  dimensions: readonly NamedDimension[],
  placeOf: PlaceOf,
  markOf: Marker,
): { counted: CountedVisits; failedDimensions: Record<string, number> } {
  const batch = numberTexts(packed)
  const asking = rememberByFacts(batch, placeOf)
  const names = createNameTable()
  const askIsBot = asking.once(({ agent }) => agent.bot)
  const askOf = (dimension: NamedDimension) =>
    dimension.distinct
      ? asking.each(markBy(dimension, names, markOf))
      : asking.once(numberBy(dimension, names))
  const countersFor = chooser(dimensions.map(dimension => ({ dimension, ask: askOf(dimension) })))
  const failedDimensions: Record<string, number> = {}
  const visits: CountedVisit[] = []

  for (let visit = 0; visit < batch.at.length; visit += 1) {
    const { id: linkId, owner } = linkOf(batch, visit)
    const isBot = askIsBot(visit)
    const totalsOnly = numberIn(batch, visit, column.totalsOnly) === 1
    const counted: number[] = []
    const marks: number[] = []
    for (const { dimension, ask } of countersFor(owner, isBot, totalsOnly)) {
      const number = ask(visit)
      if (number >= 0) (dimension.distinct ? marks : counted).push(number)
      else if (number === failure) {
        failedDimensions[dimension.name] = (failedDimensions[dimension.name] ?? 0) + 1
      }
    }
    if (counted.length === 0 && marks.length === 0) continue
    visits.push({ linkId, owner, at: momentOf(batch, visit), isBot, names: counted, marks })
  }
  return { counted: { names, visits }, failedDimensions }
}

function numberBy({ name, bots, of }: NamedDimension, names: NameTable) {
  return (visit: Visit): number => {
    try {
      const value = of(visit)
      if (value === undefined) return nothing
      return names.numberOf({ dimension: name, value: tidy(value), bots: bots === true })
    } catch {
      return failure
    }
  }
}

/** Where a mark is drawn from a value, the value is gone. */
function markBy({ name, bots, of }: NamedDimension, names: NameTable, markOf: Marker) {
  const named = { dimension: name, value: '', bots: bots === true }
  return (visit: Visit): number => {
    try {
      const value = of(visit)
      if (value === undefined) return nothing
      if (typeof value !== 'string') return failure
      return names.numberOf(named) * markSpan + markOf(value, dayOf(visit.at.getTime()))
    } catch {
      return failure
    }
  }
}

type Choose = (owner: Owner, isBot: boolean, totalsOnly: boolean) => readonly Counter[]

/** Visits of one batch share their owners, so what counts for an owner is chosen once a batch. */
function chooser(counters: readonly Counter[]): Choose {
  const byOwner = new Map<Owner, Map<number, readonly Counter[]>>()
  return (owner, isBot, totalsOnly) => {
    const kinds = byOwner.get(owner) ?? new Map<number, readonly Counter[]>()
    if (kinds.size === 0) byOwner.set(owner, kinds)
    const kind = (isBot ? 2 : 0) + (totalsOnly ? 1 : 0)
    const known = kinds.get(kind)
    if (known) return known
    const chosen = counters.filter(
      ({ dimension: { name, bots, total } }) =>
        (bots === true) === isBot && (total || !totalsOnly) && owner.collect.includes(name),
    )
    kinds.set(kind, chosen)
    return chosen
  }
}

/** Short, and without what some database refuses to hold: half a character, or NUL. */
function tidy(value: string): string {
  const short = value.length > maxValueChars ? value.slice(0, maxValueChars) : value
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}
