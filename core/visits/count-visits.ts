import type { NamedDimension } from './dimensions.ts'
import type { PlaceOf } from './place.ts'
import { type Owner, openVisit, type RawVisit } from './visit.ts'
import type { CountName } from './visit-batch.ts'

/** What is left of a visit once it is worked out: nothing in it tells who the visitor was. */
export interface CountedVisit {
  readonly linkId: number
  readonly owner: Owner
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly isBot: boolean
  /** What it counts under, at least once. */
  readonly names: readonly CountName[]
}

const maxValueChars = 128

/**
 * Work out each visit once. What a dimension could not say is left out and counted by dimension; a
 * visit of which nothing is collected is left out whole.
 */
export function countVisits(
  visits: readonly RawVisit[],
  dimensions: readonly NamedDimension[],
  placeOf: PlaceOf,
): { counted: CountedVisit[]; failedDimensions: Record<string, number> } {
  const collectedBy = collector(dimensions)
  const failedDimensions: Record<string, number> = {}
  const counted: CountedVisit[] = []
  for (const raw of visits) {
    const visit = openVisit(raw, placeOf)
    const isBot = visit.agent.bot
    const names: CountName[] = []
    for (const dimension of collectedBy(raw.link.owner)) {
      if ((dimension.bots ?? false) !== isBot) continue
      if (raw.totalsOnly && !dimension.total) continue
      try {
        const value = dimension.of(visit)
        if (value === undefined) continue
        names.push({ dimension: dimension.name, value: tidy(value), bots: isBot })
      } catch {
        failedDimensions[dimension.name] = (failedDimensions[dimension.name] ?? 0) + 1
      }
    }
    if (names.length > 0) {
      counted.push({ linkId: raw.link.id, owner: raw.link.owner, at: raw.at, isBot, names })
    }
  }
  return { counted, failedDimensions }
}

/** Visits of one batch share their owners, so what an owner collects is looked up once a batch. */
function collector(
  dimensions: readonly NamedDimension[],
): (owner: Owner) => readonly NamedDimension[] {
  const byOwner = new Map<Owner, readonly NamedDimension[]>()
  return owner => {
    const known = byOwner.get(owner)
    if (known) return known
    const collected = dimensions.filter(({ name }) => owner.collect.includes(name))
    byOwner.set(owner, collected)
    return collected
  }
}

/** Short, and without what some database refuses to hold: half a character, or NUL. */
function tidy(value: string): string {
  const short = value.length > maxValueChars ? value.slice(0, maxValueChars) : value
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}
