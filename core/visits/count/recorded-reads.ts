import { readAgent } from '../../lib/agent.ts'
import type { Place, Visit } from '../../plugin.ts'
import { column, rowLength } from '../wire/packed-visits.ts'
import type { InternedPlaces } from './interned-places.ts'
import {
  type InternedVisits,
  ipOf,
  linkOf,
  momentOf,
  textOf,
  variantsOf,
} from './interned-visits.ts'
import type { ReadAddress } from './read-address.ts'

/** The column of what is unique to each visit: its time, its address, and what has no column. */
export const uniqueColumn = -1

/** Columns after those of the batch: what was derived from an address. */
export const foundColumns = { country: rowLength, city: rowLength + 1 } as const

/** Opens visits of a batch and records what is read from them. */
export interface RecordedReads {
  begin(batch: InternedVisits): void
  /** Always returns the same object, showing the visit opened last; nothing derived from an earlier visit is kept. */
  open(visit: number): Visit
  /** The columns that were read from it, in order of reading. */
  readonly read: readonly number[]
}

/** Texts were cut before they were packed, so they are returned as they are. */
export function recordReads(places: InternedPlaces, address: ReadAddress): RecordedReads {
  const read: number[] = []
  let batch: InternedVisits
  let last = -1
  let query: URLSearchParams | undefined
  const seen = <T>(from: number, fact: T): T => {
    if (!read.includes(from)) read.push(from)
    return fact
  }
  const place: Place = {
    get country() {
      return seen(foundColumns.country, places.countries.of(last))
    },
    get city() {
      return seen(foundColumns.city, places.cities.of(last))
    },
  }
  const watched: Visit = {
    get link() {
      return seen(column.link, linkOf(batch, last).view)
    },
    get at() {
      return seen(uniqueColumn, new Date(momentOf(batch, last)))
    },
    get ip() {
      return seen(uniqueColumn, ipOf(batch, last))
    },
    get visitor() {
      address.read(last)
      return seen(uniqueColumn, address.clientKey)
    },
    place,
    // Never counted.
    rest: '',
    get userAgent() {
      return seen(column.userAgent, textOf(batch, last, column.userAgent))
    },
    get agent() {
      return seen(column.userAgent, readAgent(textOf(batch, last, column.userAgent)))
    },
    get referer() {
      return seen(column.referer, textOf(batch, last, column.referer))
    },
    get language() {
      return seen(column.language, textOf(batch, last, column.language))
    },
    get query() {
      query ??= new URLSearchParams(textOf(batch, last, column.query))
      return seen(column.query, query)
    },
    get variants() {
      return seen(column.variants, variantsOf(batch, last))
    },
    get answers() {
      return seen(uniqueColumn, noAnswers)
    },
  }
  return {
    read,
    begin(next) {
      batch = next
      last = -1
    },
    open(visit) {
      if (visit !== last) query = undefined
      last = visit
      read.length = 0
      return watched
    },
  }
}

/** What a visitor fills in is only for guards, and is gone when visits are counted. */
const noAnswers: Visit['answers'] = {}
