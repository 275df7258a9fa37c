import type { RawVisit, TrackedLink } from './visit.ts'

/**
 * Visits as they wait to be counted, and cross to the recorder's thread: numbers in two arrays, each
 * text once a batch. No visit outlives its request as an object of its own, for the garbage collector
 * would carry it about; and cloning it for the thread takes several times as long.
 */
export interface PackedVisits {
  /** By number; shared by the batches of one packer, and growing. */
  readonly links: readonly TrackedLink[]
  /** By number; 0 is the empty one. */
  readonly texts: readonly string[]
  /** What targets noted, by number; 0 is nothing. */
  readonly notes: readonly RawVisit['notes'][]
  /** `rowLength` numbers a visit, as `column` has them. */
  readonly rows: Uint32Array
  /** Milliseconds since 1970 UTC. */
  readonly at: Float64Array
}

export const rowLength = 8

/** Where in a row the number of each part of a visit is. */
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

/** Makes batch after batch; they share the numbers of their links. */
export function createVisitPacker(): () => OpenBatch {
  let links: TrackedLink[] = []
  let numbers = new Map<TrackedLink, number>()
  return () => {
    if (links.length > maxLinks) {
      links = []
      numbers = new Map()
    }
    return openBatch(links, numbers)
  }
}

function openBatch(links: TrackedLink[], numbers: Map<TrackedLink, number>): OpenBatch {
  const texts = new Map<string, number>([['', 0]])
  const notes: RawVisit['notes'][] = [undefined]
  let rows = new Uint32Array(32 * rowLength)
  let at = new Float64Array(32)
  let size = 0

  function add(visit: RawVisit): void {
    if (size === at.length) makeRoom()
    let cell = size * rowLength
    rows[cell++] = numberOfLink(visit.link)
    rows[cell++] = visit.totalsOnly ? 1 : 0
    rows[cell++] = visit.notes === undefined ? 0 : notes.push(visit.notes) - 1
    rows[cell++] = numberOfText(visit.ip)
    rows[cell++] = numberOfText(visit.userAgent)
    rows[cell++] = numberOfText(visit.referer)
    rows[cell++] = numberOfText(visit.language)
    rows[cell++] = numberOfText(visit.query)
    at[size] = visit.at
    size += 1
  }

  function makeRoom(): void {
    const [before, atBefore] = [rows, at]
    rows = new Uint32Array(before.length * 2)
    rows.set(before)
    at = new Float64Array(atBefore.length * 2)
    at.set(atBefore)
  }

  function numberOfLink(link: TrackedLink): number {
    const known = numbers.get(link)
    if (known !== undefined) return known
    numbers.set(link, links.length)
    return links.push(link) - 1
  }

  function numberOfText(text: string): number {
    if (text === '') return 0
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }

  return {
    add,
    size: () => size,
    packed: () => ({
      links,
      texts: [...texts.keys()],
      notes,
      rows: rows.slice(0, size * rowLength),
      at: at.slice(0, size),
    }),
  }
}

/** The number that a visit of the batch has in a column. */
export function numberIn({ rows }: PackedVisits, visit: number, column: number): number {
  return rows[visit * rowLength + column] ?? 0
}

/** The link of a visit of the batch. */
export function linkOf(packed: PackedVisits, visit: number): TrackedLink {
  const link = packed.links[numberIn(packed, visit, column.link)]
  if (!link) throw new Error('A visit came of a link that did not.')
  return link
}

/** When a visit of the batch came, in milliseconds since 1970 UTC. */
export function momentOf({ at }: PackedVisits, visit: number): number {
  return at[visit] ?? 0
}

/** What targets noted of a visit of the batch. */
export function notesOf(packed: PackedVisits, visit: number): NonNullable<RawVisit['notes']> {
  return packed.notes[numberIn(packed, visit, column.notes)] ?? none
}

const none = {}
