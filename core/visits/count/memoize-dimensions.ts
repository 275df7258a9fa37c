import type { Visit } from '../../plugin.ts'
import type { PlaceOfFiles } from '../facts/place.ts'
import { column } from '../wire/packed-visits.ts'
import { InternedPlaces } from './interned-places.ts'
import { type InternedVisits, momentOf, numberIn } from './interned-visits.ts'
import { ReadAddress } from './read-address.ts'
import { foundColumns, recordReads, uniqueColumn } from './recorded-reads.ts'

/** Asks a pure function about a visit, by the number of the visit in the batch. */
export type AskOf<T> = (visit: number) => T

/** The type of answers: no objects, because there is an answer for each of a hundred thousand links. */
type Plain = number | boolean

/**
 * The known answers of a function, as a tree of the columns in the order in which it read them: what a pure function
 * reads next depends only on what it has read so far. A leaf is the answer.
 */
type Known<T extends Plain> = Branch<T> | T

interface Branch<T extends Plain> {
  readonly column: number
  /** By the value in the column. No array: most branches have one value, and its number may be large. */
  readonly next: Map<number, Known<T>>
}

/** Asks pure functions about visits, batch after batch. */
export interface Asking {
  /** Moves on to a batch; its texts and links must be numbered like those before. */
  begin(batch: InternedVisits): void
  /** How many places have been numbered. */
  placesKnown(): number
  /** The function is called once per distinct input, not once per visit. */
  once<T extends Plain>(of: (visit: Visit) => T): AskOf<T>
  /**
   * The function is called for each visit, with its time in milliseconds since 1970 UTC: if hardly two visits are
   * alike, remembering takes longer than asking.
   */
  each<T>(of: (visit: Visit, at: number) => T): AskOf<T>
}

/** The numbers in these columns are only valid within one batch, and so are answers that depend on them. */
const ofOneBatch: readonly number[] = [column.variants, uniqueColumn]

/** Remembers answers, because thousands of visits have a few hundred browsers and a dozen languages. */
export function memoizeDimensions(placeOf: PlaceOfFiles): Asking {
  const address = new ReadAddress()
  const places = new InternedPlaces(placeOf, address)
  const { begin, open, read } = recordReads(places, address)
  const forgetting: (() => void)[] = []
  let batch: InternedVisits

  function numberAt(visit: number, from: number): number {
    switch (from) {
      case uniqueColumn:
        return visit
      case foundColumns.country:
        return places.countries.numberOf(visit)
      case foundColumns.city:
        return places.cities.numberOf(visit)
      default:
        return numberIn(batch, visit, from)
    }
  }

  function once<T extends Plain>(of: (visit: Visit) => T): AskOf<T> {
    let root: Known<T> | undefined
    let isOfBatch = false
    forgetting.push(() => {
      if (isOfBatch) root = undefined
    })
    /** A separate function, because the closures in it would otherwise be created at each call. */
    function ask(visit: number): T {
      const value = of(open(visit))
      isOfBatch ||= read.some(from => ofOneBatch.includes(from))
      root = learn(root, value, read, from => numberAt(visit, from))
      return value
    }
    return visit => {
      let known = root
      while (isBranch(known)) known = known.next.get(numberAt(visit, known.column))
      return known ?? ask(visit)
    }
  }

  return {
    begin(next) {
      batch = next
      begin(next)
      address.begin(next)
      places.begin()
      for (const forget of forgetting) forget()
    },
    placesKnown: () => places.size,
    once,
    each: of => visit => of(open(visit), momentOf(batch, visit)),
  }
}

/** Adds one answer to the tree, below the columns that were read. */
function learn<T extends Plain>(
  root: Known<T> | undefined,
  answer: T,
  [first, ...others]: readonly number[],
  numberOf: (column: number) => number,
): Known<T> {
  if (first === undefined) return answer
  const beginning = branchOn(root, first)
  let branch = beginning
  for (const from of others) {
    const number = numberOf(branch.column)
    const further = branchOn(branch.next.get(number), from)
    branch.next.set(number, further)
    branch = further
  }
  branch.next.set(numberOf(branch.column), answer)
  return beginning
}

function branchOn<T extends Plain>(known: Known<T> | undefined, column: number): Branch<T> {
  return isBranch(known) ? known : { column, next: new Map() }
}

function isBranch<T extends Plain>(known: Known<T> | undefined): known is Branch<T> {
  return typeof known === 'object'
}
