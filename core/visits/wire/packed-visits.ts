import { copied } from '../../lib/copied.ts'
import type { RawVisit, TrackedLink } from '../facts/open-visit.ts'

/**
 * Visits as they wait to be counted, and cross to the recorder's thread: numbers in two arrays, and what
 * they said in one row of bytes. No visit outlives its request as an object of its own, for the garbage
 * collector would carry it about; and who redirects has no time to look whether a text came before.
 */
export interface PackedVisits {
  /** By number; shared by the batches of one packer, and growing. */
  readonly links: readonly TrackedLink[]
  /** What targets noted, by number; 0 is nothing. */
  readonly notes: readonly RawVisit['notes'][]
  /** `rowLength` numbers a visit, as `column` has them. */
  readonly rows: Uint32Array
  /** Milliseconds since 1970 UTC. */
  readonly at: Float64Array
  /** The texts of all visits, one after another, in Latin-1. */
  readonly texts: Uint8Array
}

export const rowLength = 8

/** Where in a row the number of each part of a visit is; for a text that is how many bytes it has. */
export const column = {
  link: 0,
  /** 0 or 1. */
  totalsOnly: 1,
  notes: 2,
  ip: 3,
  userAgent: 4,
  referer: 5,
  language: 6,
  query: 7,
} as const

/** A batch that is not full yet. */
export interface OpenBatch {
  add(visit: RawVisit): void
  size(): number
  /** Nothing may be added afterwards. */
  packed(): PackedVisits
}

/** Links that are remembered before the numbers begin again. */
const maxLinks = 50_000

/** Makes batch after batch, one at a time; they share the numbers of their links. */
export function createVisitPacker(): () => OpenBatch {
  let links: TrackedLink[] = []
  let numbers = new Map<TrackedLink, number>()
  let rows = new Uint32Array(32 * rowLength)
  let at = new Float64Array(32)
  let texts = Buffer.allocUnsafeSlow(8_192)

  /** By the last bits of a row id: the number of the link that had it last. A map takes longer. */
  const lastNumbers = new Uint32Array(4_096)

  function numberOf(link: TrackedLink): number {
    const place = link.id % lastNumbers.length
    const last = lastNumbers[place] ?? 0
    if (links[last] === link) return last
    const number = numbers.get(link) ?? newNumber(link)
    lastNumbers[place] = number
    return number
  }

  function newNumber(link: TrackedLink): number {
    numbers.set(link, links.length)
    return links.push(link) - 1
  }

  function openBatch(): OpenBatch {
    const notes: RawVisit['notes'][] = [undefined]
    let size = 0
    let written = 0

    function add(visit: RawVisit): void {
      const { ip, userAgent, referer, language, query } = visit
      if (size === at.length) {
        rows = copied(rows, new Uint32Array(rows.length * 2))
        at = copied(at, new Float64Array(at.length * 2))
      }
      // Joined first: crossing over to native code costs more than what it does there.
      const said = ip + userAgent + referer + language + query
      while (written + said.length > texts.length) {
        texts = copied(texts, Buffer.allocUnsafeSlow(texts.length * 2))
      }
      written += texts.write(said, written, 'latin1')
      let cell = size * rowLength
      rows[cell++] = numberOf(visit.link)
      rows[cell++] = visit.totalsOnly ? 1 : 0
      rows[cell++] = visit.notes === undefined ? 0 : notes.push(visit.notes) - 1
      rows[cell++] = ip.length
      rows[cell++] = userAgent.length
      rows[cell++] = referer.length
      rows[cell++] = language.length
      rows[cell++] = query.length
      at[size] = visit.at
      size += 1
    }

    return {
      add,
      size: () => size,
      packed: () => ({
        links,
        notes,
        rows: rows.slice(0, size * rowLength),
        at: at.slice(0, size),
        texts: Uint8Array.prototype.slice.call(texts, 0, written),
      }),
    }
  }

  return () => {
    if (links.length > maxLinks) {
      links = []
      numbers = new Map()
    }
    return openBatch()
  }
}
