import type { RawVisit, TrackedLink } from './visit.ts'

/**
 * Visits as they cross to the recorder's thread: numbers in two arrays, each text once a batch, each
 * link once a thread. Cloning visits as the objects they are takes the redirecting thread several times
 * as long, and the other one too.
 */
export interface PackedVisits {
  /** Links that this thread has not seen, numbered from `firstLink`; from 0, it forgets all others. */
  readonly newLinks: readonly TrackedLink[]
  readonly firstLink: number
  readonly texts: readonly string[]
  /** A row a visit: link, totals only (0 or 1), then its texts, by number. */
  readonly rows: Uint32Array
  /** Milliseconds since 1970 UTC. */
  readonly at: Float64Array
  /** What targets noted, of the few visits that have any. */
  readonly notes: readonly (readonly [visit: number, notes: NonNullable<RawVisit['notes']>])[]
}

const rowLength = 7

/** Links that are remembered before both sides begin again. */
const maxLinks = 50_000

/** Packs batch after batch for one thread. */
export function createVisitPacker(): (visits: readonly RawVisit[]) => PackedVisits {
  const links = new Map<TrackedLink, number>()
  return visits => {
    if (links.size > maxLinks) links.clear()
    const firstLink = links.size
    const newLinks: TrackedLink[] = []
    const texts = new Map<string, number>()
    const rows = new Uint32Array(visits.length * rowLength)
    const at = new Float64Array(visits.length)
    const notes: [number, NonNullable<RawVisit['notes']>][] = []

    let cell = 0
    for (const [index, visit] of visits.entries()) {
      const known = links.get(visit.link)
      if (known === undefined) {
        links.set(visit.link, links.size)
        newLinks.push(visit.link)
      }
      at[index] = visit.at
      rows[cell++] = known ?? links.size - 1
      rows[cell++] = visit.totalsOnly ? 1 : 0
      rows[cell++] = numberOf(visit.ip, texts)
      rows[cell++] = numberOf(visit.userAgent, texts)
      rows[cell++] = numberOf(visit.referer, texts)
      rows[cell++] = numberOf(visit.language, texts)
      rows[cell++] = numberOf(visit.query, texts)
      if (visit.notes) notes.push([index, visit.notes])
    }
    return { newLinks, firstLink, texts: [...texts.keys()], rows, at, notes }
  }
}

function numberOf(text: string, texts: Map<string, number>): number {
  const known = texts.get(text)
  if (known !== undefined) return known
  texts.set(text, texts.size)
  return texts.size - 1
}

/** Unpacks what one packer packed, in the order of its batches. */
export function createVisitUnpacker(): (packed: PackedVisits) => readonly RawVisit[] {
  let links: TrackedLink[] = []
  return ({ newLinks, firstLink, texts, rows, at, notes }) => {
    if (firstLink === 0) links = []
    links.push(...newLinks)
    const notesOf = new Map(notes)
    return Array.from(at, (moment, index): RawVisit => {
      const cell = (offset: number) => rows[index * rowLength + offset] ?? 0
      const text = (offset: number) => texts[cell(offset)] ?? ''
      const link = links[cell(0)]
      if (!link) throw new Error('A visit came of a link that did not.')
      const noted = notesOf.get(index)
      return {
        link,
        totalsOnly: cell(1) === 1,
        at: moment,
        ip: text(2),
        userAgent: text(3),
        referer: text(4),
        language: text(5),
        query: text(6),
        ...(noted && { notes: noted }),
      }
    })
  }
}
