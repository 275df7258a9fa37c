import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { NamedDimension } from '../facts/dimensions.ts'
import type { PlaceOfFiles } from '../facts/place.ts'
import { CountedVisits } from '../wire/counted-visits.ts'
import { createNameTable, type NameTable } from '../wire/name-table.ts'
import { column, type PackedVisits } from '../wire/packed-visits.ts'
import { type Counter, chooser, counterOf, failure, nothing } from './counters.ts'
import {
  type InternedVisits,
  internTexts,
  linkOf,
  momentOf,
  numberIn,
  TextNumbers,
} from './interned-visits.ts'
import type { Marker } from './marker.ts'
import { type Asking, type AskOf, memoizeDimensions } from './memoize-dimensions.ts'

/** The result of counting a batch. */
export interface CountedBatch {
  readonly counted: CountedVisits
  /** How often each dimension threw. */
  readonly failedDimensions: Readonly<Record<string, number>>
  /** The first error of each dimension that is new: a remembered failure is not reported again. */
  readonly failures: Readonly<Record<string, Error>>
}

/** Results that are remembered for the visits that come next. */
interface Memory {
  /** The links whose numbers the results refer to. */
  readonly links: PackedVisits['links']
  /** Those of the data files that the results come from. */
  readonly dataVersions: string
  readonly texts: TextNumbers
  readonly names: NameTable
  readonly asking: Asking
  readonly askIsBot: AskOf<boolean>
  readonly counters: readonly Counter[]
  /** The first error of each dimension in this batch. */
  readonly failures: Map<string, Error>
}

/** How many texts, names and places to remember: visitors from everywhere bring a thousand places per batch. */
const maxRemembered = 50_000
/** How many characters the texts may have together: long ones, such as random queries, must not fill the memory. */
const maxChars = Math.min(4 * 1024 * 1024, memoryShares.waitingVisitsBytes / 4)
/** How long results are remembered, in milliseconds, whether or not visits come. */
const maxMs = 60_000

/**
 * Creates the function that counts each visit of a batch once. If a dimension fails, its value is left out and the
 * failure is counted; a visit of which nothing is collected is left out entirely.
 */
export function createVisitCounter(
  dimensions: readonly NamedDimension[],
  placeOf: PlaceOfFiles,
  markOf: Marker,
): (packed: PackedVisits) => CountedBatch {
  let memory: Memory | undefined
  let forgetting: NodeJS.Timeout | undefined

  const withFiles = dimensions.filter(it => it.dataVersion !== undefined)
  const versionsNow = () => withFiles.map(it => it.dataVersion?.()).join()

  function remember(links: Memory['links']): Memory {
    clearTimeout(forgetting)
    forgetting = setTimeout(() => {
      memory = undefined
    }, maxMs).unref()
    memory = { ...newMemory(links, dimensions, placeOf, markOf), dataVersions: versionsNow() }
    return memory
  }

  return packed => {
    const isSame = memory?.dataVersions === versionsNow()
    const known = memory && isSame && isOfUse(memory, packed) ? memory : remember(packed.links)
    return countVisits(internTexts(packed, known.texts), known)
  }
}

function isOfUse({ links, texts, names, asking }: Memory, packed: PackedVisits): boolean {
  const remembered = texts.texts.length + names.size() + asking.placesKnown()
  return links === packed.links && remembered < maxRemembered && texts.chars < maxChars
}

function newMemory(
  links: PackedVisits['links'],
  dimensions: readonly NamedDimension[],
  placeOf: PlaceOfFiles,
  markOf: Marker,
): Omit<Memory, 'dataVersions'> {
  const names = createNameTable()
  const asking = memoizeDimensions(placeOf)
  const failures = new Map<string, Error>()
  const parts = { names, asking, markOf, failures }
  return {
    links,
    texts: new TextNumbers(),
    names,
    asking,
    askIsBot: asking.once(({ agent }) => agent.bot),
    counters: dimensions.map(dimension => counterOf(dimension, parts)),
    failures,
  }
}

function countVisits(
  batch: InternedVisits,
  { names, asking, askIsBot, counters, failures }: Memory,
): CountedBatch {
  const countersFor = chooser(counters)
  const failedDimensions: Record<string, number> = {}
  const room = { visits: batch.at.length, each: counters.length }
  const counted = new CountedVisits(names, batch.links, room)
  asking.begin(batch)
  failures.clear()
  for (let visit = 0; visit < batch.at.length; visit += 1) {
    const isBot = askIsBot(visit)
    const totalsOnly = numberIn(batch, visit, column.totalsOnly) === 1
    const chosen = countersFor(linkOf(batch, visit).owner, isBot, totalsOnly)
    countVisit(visit, chosen, counted, failedDimensions)
    const linkNumber = numberIn(batch, visit, column.link)
    counted.end({ linkNumber, at: momentOf(batch, visit), isBot })
  }
  return { counted, failedDimensions, failures: Object.fromEntries(failures) }
}

function countVisit(
  visit: number,
  counters: readonly Counter[],
  counted: CountedVisits,
  failedDimensions: Record<string, number>,
): void {
  for (const counter of counters) {
    const number = counter.ask(visit)
    if (number === failure) {
      const { name } = counter.dimension
      failedDimensions[name] = (failedDimensions[name] ?? 0) + 1
    } else if (number !== nothing) {
      if (counter.marked === undefined) counted.count(number)
      else counted.mark(counter.marked, number)
    }
  }
}
