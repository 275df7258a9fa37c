import type { NameTable } from './name-table.ts'
import type { Owner } from './visit.ts'

/** What is left of visits once they are worked out: nothing in it tells who the visitors were. */
export interface CountedVisits {
  /** What visits count under, by number. */
  readonly names: NameTable
  readonly visits: readonly CountedVisit[]
}

export interface CountedVisit {
  readonly linkId: number
  readonly owner: Owner
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly isBot: boolean
  /** Numbers of names. */
  readonly names: readonly number[]
  readonly marks: readonly NamedMark[]
}

/** The mark that a visit left, and the number of the name it left it under. */
export interface NamedMark {
  readonly name: number
  readonly mark: number
}
