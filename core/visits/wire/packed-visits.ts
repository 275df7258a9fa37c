import { copied } from '../../lib/memory/copies.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { RawVisit, TrackedLink } from '../facts/open-visit.ts'

/**
 * Visits that wait to be counted and cross to the recorder's thread: numbers in two arrays, and their texts in one
 * sequence of bytes. No visit outlives its request as an object, because the garbage collector would have to carry it
 * along; and a redirect has no time to check whether a text came before.
 */
export interface PackedVisits {
  /** By number; shared by the batches of one packer, and growing. */
  readonly links: readonly TrackedLink[]
  /** What targets noted, by number; 0 is nothing. */
  readonly variants: readonly RawVisit['variants'][]
  /** `rowLength` numbers per visit, in the order of `column`. */
  readonly rows: Uint32Array<SharedArrayBuffer>
  /** Milliseconds since 1970 UTC. */
  readonly at: Float64Array<SharedArrayBuffer>
  /** The texts of all visits, one after another, in Latin-1. */
  readonly texts: Uint8Array<SharedArrayBuffer>
  /** The salts for the marks of these visits; absent if each server makes its own. */
  readonly salts?: readonly AgreedSalt[] | undefined
}

/** A salt that several servers agreed on for a UTC day, in days since 1970. */
export interface AgreedSalt {
  readonly day: number
  readonly salt: string
  /** When it must be forgotten, in milliseconds since 1970 UTC. */
  readonly until: number
}

export const rowLength = 8

/** The position in a row of each part of a visit; for a text, the number is its length in bytes. */
export const column = {
  link: 0,
  /** 0 or 1. */
  totalsOnly: 1,
  variants: 2,
  ip: 3,
  userAgent: 4,
  referer: 5,
  language: 6,
  query: 7,
} as const

/** A batch that is still being filled. */
export interface OpenBatch {
  /** Returns how many bytes the visit takes. */
  add(visit: RawVisit): number
  size(): number
  /** Nothing may be added afterwards. */
  packed(): PackedVisits
}

export interface VisitPacker {
  /** Call this when the previous batch is packed. All batches share the numbers of their links. */
  newBatch(): OpenBatch
  /** Call this when nobody reads these visits any more: their memory is reused. */
  reuse(packed: PackedVisits): void
}

/** What the numbers of a visit take. */
const visitBytes = rowLength * 4 + 8

/** How many links to number before starting over: as many as the cache of links holds. */
const maxLinks = memoryShares.links

/** How many rooms to keep for the next batches when none is in use. */
const keptRooms = 2

/** The memory of a batch. Both threads share it, so that nothing is copied, allocated or freed on the way. */
interface Room {
  rows: Uint32Array<SharedArrayBuffer>
  at: Float64Array<SharedArrayBuffer>
  texts: Uint8Array<SharedArrayBuffer>
}

export function createVisitPacker(): VisitPacker {
  const numberOf = createLinkNumbers()
  const rooms: Room[] = []

  function openBatch(links: readonly TrackedLink[]): OpenBatch {
    const room = rooms.pop() ?? newRoom()
    const variants: RawVisit['variants'][] = [undefined]
    let bytes = Buffer.from(room.texts.buffer)
    let size = 0
    let written = 0

    function add(visit: RawVisit): number {
      const { ip, userAgent, referer, language, query } = visit
      if (size === room.at.length) {
        room.rows = copied(room.rows, new Uint32Array(shared(room.rows.byteLength * 2)))
        room.at = copied(room.at, new Float64Array(shared(room.at.byteLength * 2)))
      }
      // Joined first, because calling native code costs more than what it does there.
      const texts = ip + userAgent + referer + language + query
      while (written + texts.length > bytes.length) {
        room.texts = copied(room.texts, new Uint8Array(shared(bytes.length * 2)))
        bytes = Buffer.from(room.texts.buffer)
      }
      written += bytes.write(texts, written, 'latin1')
      const { rows } = room
      let cell = size * rowLength
      rows[cell++] = numberOf.link(visit.link)
      rows[cell++] = visit.totalsOnly ? 1 : 0
      rows[cell++] = visit.variants === undefined ? 0 : variants.push(visit.variants) - 1
      rows[cell++] = ip.length
      rows[cell++] = userAgent.length
      rows[cell++] = referer.length
      rows[cell++] = language.length
      rows[cell++] = query.length
      room.at[size] = visit.at
      size += 1
      return texts.length + visitBytes
    }

    return {
      add,
      size: () => size,
      packed: () => ({
        links,
        variants,
        rows: room.rows.subarray(0, size * rowLength),
        at: room.at.subarray(0, size),
        texts: room.texts.subarray(0, written),
      }),
    }
  }

  return {
    newBatch: () => openBatch(numberOf.links()),
    reuse({ rows, at, texts }) {
      if (rooms.length < keptRooms) rooms.push(roomOf(rows.buffer, at.buffer, texts.buffer))
    },
  }
}

function newRoom(): Room {
  return roomOf(shared(128 * rowLength * 4), shared(128 * 8), shared(128 * 256))
}

function roomOf(rows: SharedArrayBuffer, at: SharedArrayBuffer, texts: SharedArrayBuffer): Room {
  return { rows: new Uint32Array(rows), at: new Float64Array(at), texts: new Uint8Array(texts) }
}

function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}

/** Numbers links, from 0 up. */
function createLinkNumbers() {
  let links: TrackedLink[] = []
  let numbers = new Map<TrackedLink, number>()
  /**
   * By the last bits of a row id: the latest link number with these bits, of more bits than `maxLinks` has. A map takes
   * longer.
   */
  const lastNumbers = new Uint32Array(2 ** 17)

  function newNumber(link: TrackedLink): number {
    numbers.set(link, links.length)
    return links.push(link) - 1
  }

  return {
    /** All links by number, for a new batch; starts a new list if there were too many. */
    links(): readonly TrackedLink[] {
      if (links.length > maxLinks) {
        links = []
        numbers = new Map()
      }
      return links
    },
    link(link: TrackedLink): number {
      const place = link.id % lastNumbers.length
      const last = lastNumbers[place] ?? 0
      if (links[last] === link) return last
      const number = numbers.get(link) ?? newNumber(link)
      lastNumbers[place] = number
      return number
    },
  }
}

/** A batch on its way to a thread, with only the links that the thread has not seen. */
export interface SentVisits extends Omit<PackedVisits, 'links'> {
  readonly newLinks: readonly TrackedLink[]
  /** The number of the first new link; if it is 0, the thread forgets all others. */
  readonly firstLink: number
}

/** Prepares batches for one thread, which remembers links. */
export function sendLinkDelta(): (packed: PackedVisits) => SentVisits {
  let known: readonly TrackedLink[] | undefined
  let sent = 0
  return ({ links, ...rest }) => {
    const firstLink = links === known ? sent : 0
    known = links
    sent = links.length
    return { ...rest, newLinks: links.slice(firstLink), firstLink }
  }
}

/** The receiving side: restores the links of each batch; batches must arrive in the order in which they were sent. */
export function receiveLinkDelta(): (sent: SentVisits) => PackedVisits {
  let links: TrackedLink[] = []
  return ({ newLinks, firstLink, ...rest }) => {
    if (firstLink === 0) links = []
    for (const link of newLinks) links.push(link)
    return { ...rest, links }
  }
}
