import { clientKey } from '../../lib/net/client-key.ts'
import type { Place, Visit } from '../../plugin.ts'
import { readAgent } from '../facts/agent.ts'
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

/** The column of what is like no other: when a visit came, from where, and what has no column. */
export const uniqueColumn = -1

/** Columns behind those that came: what was found out of an address. */
export const foundColumns = { country: rowLength, city: rowLength + 1 } as const

/** Opens visits of a batch so that one can see what is read of them. */
export interface RecordedReads {
  begin(batch: InternedVisits): void
  /** Always the same object, that of the visit opened last: what is worked out of one lives no longer. */
  open(visit: number): Visit
  /** The columns that were read of it, in that order. */
  readonly read: readonly number[]
}

/** Texts were cut before they were packed, so what is one is given as it is. */
export function recordReads(places: InternedPlaces): RecordedReads {
  const read: number[] = []
  let batch: InternedVisits = nobody
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
      return seen(uniqueColumn, clientKey(ipOf(batch, last)))
    },
    place,
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

/** What a visitor fills in is for guards alone, and is gone when visits are counted. */
const noAnswers: Visit['answers'] = {}

const nobody: InternedVisits = {
  links: [],
  variants: [],
  texts: [''],
  ips: [],
  rows: new Uint32Array(),
  at: new Float64Array(),
}
