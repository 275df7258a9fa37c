import { z } from 'zod'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { PastCounts } from '../../../plugin.ts'
import { tidyValue } from '../../../visits/count/counters.ts'
import { dayOf, hourOf } from '../../../visits/facts/buckets.ts'
import {
  isSummed,
  kindOf,
  type NamedDimension,
  valueOfAll,
} from '../../../visits/facts/dimensions.ts'
import { undatedBucket } from '../../../visits/tables/counts-table.ts'
import type { CountName } from '../../../visits/wire/name-table.ts'
import type { BroughtCount, BroughtVisits } from '../../../visits/wire/packed-sums.ts'

/** At most so many numbers at once: checking them takes some milliseconds, which redirects wait for. */
const maxNumbers = 10_000

const count = z.int().min(0).max(1_000_000_000)

const span = z.strictObject({
  at: z.union([z.date(), z.iso.date()], { error: 'Must be a date, or a day such as 2024-05-03.' }),
  visits: count,
  by: z.custom<PastCounts['by']>(areNumbers, 'Must be numbers, also by value.').optional(),
})

/** A schema of records takes three times as long, and there is one for each hour of each link. */
function areNumbers(given: unknown): boolean {
  const isCount = (it: unknown) => Number.isInteger(it) && Number(it) >= 0 && Number(it) <= 1e9
  const all = (of: unknown, are: typeof isCount) =>
    of instanceof Object && !Array.isArray(of) && Object.values(of).every(are)
  return all(given, it => isCount(it) || (all(it, isCount) && !Object.hasOwn(Object(it), '')))
}

/** Visits that a link had elsewhere, as an author gives them. */
export const broughtSchema = z.strictObject({
  undated: count.optional(),
  counts: z.array(span).optional(),
  lastVisitAt: z.date().optional(),
})

type Given = z.output<typeof broughtSchema>

/** What an import needs to know of dimensions. */
export interface Countable {
  readonly all: readonly NamedDimension[]
  /** The named dimensions, all of which the plan must include; without names, all that it includes. */
  chosen(plan: string, names?: readonly string[]): readonly NamedDimension[] | Refusal
}

/** Refuses more numbers than can be checked at once, without looking at them. */
export function refuseTooMany(given: unknown, field: string): Refusal | undefined {
  const { counts } = Object(given) as { readonly counts?: unknown }
  if (!Array.isArray(counts)) return undefined
  let numbers = counts.length
  for (const { by } of counts.slice(0, maxNumbers).map(Object)) {
    for (const values of Object.values(Object(by))) numbers += Object.keys(Object(values)).length
  }
  if (numbers <= maxNumbers) return undefined
  const detail = `At most ${maxNumbers.toLocaleString('en')} numbers can be brought at once. Bring some days at a time.`
  return refuse('validation_failed', detail, 422, field)
}

/** Visits from elsewhere, as they are stored; undefined if there are none. */
export function readBrought(
  { undated = 0, counts = [], lastVisitAt }: Given,
  about: {
    readonly countable: Countable
    readonly plan: string
    readonly now: Date
    /** The field that they are given in, such as `visits`. */
    readonly field: string
  },
): BroughtVisits | Refusal | undefined {
  const { countable, plan, now, field } = about
  const included = countable.chosen(plan)
  const ofAll = isRefusal(included) ? [] : included.flatMap(namesOfEveryVisit)
  const isOfAll = new Set(ofAll.map(it => it.dimension))
  const found = new Map<string, NamedDimension>()
  const known = createNames()
  const days = new Map<number, Day>()
  const sums: BroughtCount[] = []
  let visits = undated
  let last = 0
  for (const [index, { at, visits: ofSpan, by = {} }] of counts.entries()) {
    const here = `${field}.counts[${index}]`
    const when = whenOf(at, now)
    if (!when) {
      return wrong(`${here}.at`, 'Must be a day or a moment from 2 January 1970 to now.')
    }
    const day = days.get(when.day) ?? { visits: 0, by: new Map() }
    days.set(when.day, day)
    day.visits += ofSpan
    visits += ofSpan
    if (ofSpan > 0) {
      last = Math.max(last, when.at)
      for (const name of ofAll) sums.push({ name, hour: when.hour, count: ofSpan })
    }
    for (const [name, given] of Object.entries(by)) {
      const where = `${here}.by.${name}`
      const dimension = found.get(name) ?? findDimension(name, { ...about, field: where })
      if (isRefusal(dimension)) return dimension
      found.set(name, dimension)
      const problem = isOfAll.has(name)
        ? 'Each of the visits counts there. Leave it out.'
        : whyNot(dimension, { given, isDay: typeof at === 'string' })
      if (problem !== undefined) return wrong(where, problem)
      const values = typeof given === 'number' ? { '': given } : given
      for (const [value, count] of Object.entries(values)) {
        if (count === 0) continue
        sums.push({ name: known(dimension, tidyValue(value)), hour: when.hour, count })
        if (!dimension.bots) day.by.set(name, (day.by.get(name) ?? 0) + count)
      }
    }
  }
  const tooMany = refuseBeyond(days, `${field}.counts`)
  if (tooMany) return tooMany
  if (visits > 0 && !ofAll.some(({ dimension }) => dimension === 'visits')) {
    const refused = countable.chosen(plan, ['visits'])
    if (isRefusal(refused)) return refused
    return refuse('feature_disabled', 'Visits are not counted on this instance.', 403)
  }
  if (undated > 0) sums.push({ name: undatedName, hour: undatedBucket, count: undated })
  const latest = lastVisitAt?.getTime() ?? last
  if (latest > now.getTime() || latest < last - noonMs) {
    return wrong(`${field}.lastVisitAt`, 'Must be from the last of the counts to now.')
  }
  return sums.length === 0 ? undefined : { visits, lastVisitAt: latest, counts: sums }
}

/** What is given of a UTC day. */
interface Day {
  visits: number
  /** Visits by the name of a dimension. */
  readonly by: Map<string, number>
}

const hourMs = 3_600_000
/** 2 January 1970: before it are buckets of another kind. */
const earliestHour = 24
const noonMs = 12 * hourMs

/** When a span is; undefined if that cannot be. What is known of a day only counts at noon, as it does after a while. */
function whenOf(at: string | Date, now: Date) {
  const start = typeof at === 'string' ? Date.parse(at) : at.getTime()
  const moment = typeof at === 'string' ? Math.min(start + noonMs, now.getTime()) : start
  const hour = hourOf(moment)
  if (!(start <= now.getTime()) || hour < earliestHour) return undefined
  return { hour, day: dayOf(start), at: Math.max(moment, start) }
}

/** Under which names each visit counts, whatever it is. */
function namesOfEveryVisit(dimension: NamedDimension): readonly CountName[] {
  const known = everyName.get(dimension) ?? findEveryName(dimension)
  everyName.set(dimension, known)
  return known
}

/** Finding them takes a sixth of bringing visits to a link, and an import brings visits to thousands. */
const everyName = new WeakMap<NamedDimension, readonly CountName[]>()

function findEveryName(dimension: NamedDimension): readonly CountName[] {
  if (dimension.bots || kindOf(dimension) === 'distinct') return []
  const value = valueOfAll(dimension)
  return value === undefined ? [] : [nameOf(dimension, tidyValue(value))]
}

function findDimension(
  name: string,
  { countable, plan, field }: { countable: Countable; plan: string; field: string },
): NamedDimension | Refusal {
  const dimension = countable.all.find(it => it.name === name)
  if (!dimension) {
    return wrong(field, `The dimensions are ${countable.all.map(it => it.name).join(', ')}.`)
  }
  const chosen = countable.chosen(plan, [name])
  return isRefusal(chosen) ? { ...chosen, field } : dimension
}

/** Why a dimension cannot have this; undefined if it can. */
function whyNot(
  dimension: NamedDimension,
  { given, isDay }: { readonly given: number | object; readonly isDay: boolean },
): string | undefined {
  const kind = kindOf(dimension)
  if (kind === 'distinct' && !isDay) {
    return 'Different values can be given for a whole day only: those of hours cannot be added up.'
  }
  if ((kind === 'values') === (typeof given === 'object')) return undefined
  return kind === 'values' ? 'Must be numbers by value.' : 'Must be a number.'
}

/** Refuses a day with more visits of a dimension than it has visits. */
function refuseBeyond(days: ReadonlyMap<number, Day>, field: string): Refusal | undefined {
  for (const [day, { visits, by }] of days) {
    const beyond = [...by].find(([, sum]) => sum > visits)
    if (!beyond) continue
    const [name, sum] = beyond
    const date = new Date(day * 24 * hourMs).toISOString().slice(0, 10)
    return wrong(field, `${date} has ${sum} visits in ${name}, but only ${visits} visits.`)
  }
  return undefined
}

/** Finds the same object for the same name: there are thousands of counts. */
function createNames(): (dimension: NamedDimension, value: string) => CountName {
  const names = new Map<string, Map<string, CountName>>()
  return (dimension, value) => {
    const values = names.get(dimension.name) ?? new Map<string, CountName>()
    names.set(dimension.name, values)
    const name = values.get(value) ?? nameOf(dimension, value)
    values.set(value, name)
    return name
  }
}

/** Sums of different values leave no marks. */
function nameOf(dimension: NamedDimension, value: string): CountName {
  const { name, bots = false } = dimension
  return { dimension: name, value, bots, summed: isSummed(dimension), marked: false }
}

const undatedName: CountName = {
  dimension: 'visits',
  value: '',
  bots: false,
  summed: false,
  marked: false,
}

function wrong(field: string, detail: string): Refusal {
  return refuse('validation_failed', detail, 422, field)
}
