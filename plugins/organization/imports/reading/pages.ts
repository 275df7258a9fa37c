import { SourceError } from '../source.ts'
import { createSeen } from './seen.ts'

/** Remembered so that what moves from one page to the next while others come or go is yielded once. */
const remembered = 10_000

/** So many pages in a row without anything new mean that a service answers with the same again and again. */
const mostOld = 3

/**
 * The things of all pages, each once. `next` gets the page after a thing, which is undefined at first; an empty page is the end.
 */
export async function* eachOnce<T>(
  name: string,
  idOf: (it: T) => string,
  next: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  const seen = createSeen(remembered)
  let last: T | undefined
  let old = 0
  for (;;) {
    const page = await next(last)
    if (page.length === 0) return
    const fresh = page.filter(it => !seen.has(idOf(it)))
    old = fresh.length === 0 ? old + 1 : 0
    if (old === mostOld) {
      throw new SourceError(`${name} answers with the same links again and again, and never ends.`)
    }
    for (const it of fresh) {
      // A page may have one twice.
      if (seen.add(idOf(it))) yield it
    }
    last = page.at(-1)
  }
}

/** What a page has. Throws if it is no list. */
export function arrayOf(page: unknown, path: string): readonly unknown[] {
  if (Array.isArray(page)) return page
  throw new SourceError(
    `${path} does not answer with a list, as this API should. Is its address right?`,
  )
}
