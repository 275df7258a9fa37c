import { clientKey } from '../client-key.ts'
import type { Place, Visit } from '../plugin.ts'
import { readAgent } from './agent.ts'
import { linkOf, momentOf, type NumberedVisits, notesOf, numberIn } from './numbered-visits.ts'
import { column } from './packed-visits.ts'
import type { PlaceOf } from './place.ts'

/** Asks a pure function of a visit, by the number of a visit in a batch. */
export type AskOf<T> = (visit: number) => T

/** The column of a visit that is like no other: when it came, and what has no column. */
const itself = -1

/**
 * What was answered before to a visit that the function could not tell from this one: it is asked for
 * the columns in the order in which it read them, for what a pure function reads next hangs on nothing
 * but what it has read. One that has no next knows the answer.
 */
interface Known<T> {
  readonly value: T | undefined
  readonly column: number
  readonly next: Map<number, Known<T>> | undefined
}

/** How pure functions are asked of the visits of a batch. */
export interface Asking {
  /** Called once for what it reads, not once a visit. */
  once<T>(of: (visit: Visit) => T): AskOf<T>
  /** Called for each visit: where hardly two are alike, remembering takes longer than asking. */
  each<T>(of: (visit: Visit) => T): AskOf<T>
}

/** Thousands of visits have a few hundred browsers and a dozen languages. */
export function rememberByFacts(batch: NumberedVisits, placeOf: PlaceOf): Asking {
  const open = openWatched(batch, placeOf)

  function once<T>(of: (visit: Visit) => T): AskOf<T> {
    let root: Known<T> | undefined
    return visit => {
      let known = root
      while (known?.next !== undefined) known = known.next.get(numberAt(batch, visit, known.column))
      if (known !== undefined) return known.value as T
      const { watched, read } = open(visit)
      const value = of(watched)
      root = learn(root, value, read, from => numberAt(batch, visit, from))
      return value
    }
  }

  return { once, each: of => visit => of(open(visit).watched) }
}

function numberAt(batch: NumberedVisits, visit: number, from: number): number {
  return from === itself ? visit : numberIn(batch, visit, from)
}

/** The same knowledge with one answer more, at the end of the columns that were read. */
function learn<T>(
  root: Known<T> | undefined,
  value: T,
  [first, ...others]: readonly number[],
  numberOf: (column: number) => number,
): Known<T> {
  const answer = { value, column: itself, next: undefined }
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

type Branch<T> = Known<T> & { readonly next: Map<number, Known<T>> }

function branchOn<T>(known: Known<T> | undefined, column: number): Branch<T> {
  return isBranch(known) ? known : { value: undefined, column, next: new Map() }
}

function isBranch<T>(known: Known<T> | undefined): known is Branch<T> {
  return known?.next !== undefined
}

/**
 * Opens visits so that one can see what is read of them. It is always the same object, that of the visit
 * opened last: what is worked out of one lives no longer than the question. Texts were cut before they
 * were packed, so what is one is given as it is.
 */
function openWatched(batch: NumberedVisits, placeOf: PlaceOf) {
  const read: number[] = []
  let last = -1
  let place: Place | undefined
  let query: URLSearchParams | undefined
  const text = (from: number) => batch.texts[numberIn(batch, last, from)] ?? ''
  const seen = <T>(from: number, fact: T): T => {
    if (!read.includes(from)) read.push(from)
    return fact
  }
  const watched: Visit = {
    get link() {
      return seen(column.link, linkOf(batch, last).view)
    },
    get at() {
      return seen(itself, new Date(momentOf(batch, last)))
    },
    get ip() {
      return seen(column.ip, text(column.ip))
    },
    get visitor() {
      return seen(column.ip, clientKey(text(column.ip)))
    },
    get place() {
      place ??= placeOf(text(column.ip))
      return seen(column.ip, place)
    },
    get userAgent() {
      return seen(column.userAgent, text(column.userAgent))
    },
    get agent() {
      return seen(column.userAgent, readAgent(text(column.userAgent)))
    },
    get referer() {
      return seen(column.referer, text(column.referer))
    },
    get language() {
      return seen(column.language, text(column.language))
    },
    get query() {
      query ??= new URLSearchParams(text(column.query))
      return seen(column.query, query)
    },
    get notes() {
      return seen(column.notes, notesOf(batch, last))
    },
    get answers() {
      return seen(itself, noAnswers)
    },
  }
  return (visit: number) => {
    if (visit !== last) {
      place = undefined
      query = undefined
    }
    last = visit
    read.length = 0
    return { watched, read }
  }
}

/** What a visitor fills in is for guards alone, and is gone when visits are counted. */
const noAnswers: Visit['answers'] = {}
