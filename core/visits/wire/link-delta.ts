import type { TrackedLink } from '../facts/open-visit.ts'
import type { PackedVisits } from './packed-visits.ts'

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
