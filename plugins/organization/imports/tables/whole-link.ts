import type { Item, LinkItem, Refused } from '../source.ts'
import type { Counting } from './counting.ts'

/** A link, and its counts, which are kept by this key. One without a code or URL is refused: another code would lead nobody to it. */
export async function* withCounts(
  item: LinkItem,
  counting: Counting,
  key: string,
): AsyncGenerator<Item> {
  const { visits, all } = counting.dated(key)
  const change = `${all - visits} of its visits have a date that cannot be, and come without one.`
  const whole = wholeLink(
    all > visits ? { ...item, changes: [...(item.changes ?? []), change] } : item,
  )
  yield whole
  if (whole.kind === 'link') yield* counting.countsOf(key, whole)
}

/** A link, or why it is none. */
export function wholeLink(item: LinkItem): LinkItem | Refused {
  const { row, code, fields } = item
  if (!code) return { kind: 'refused', row, reason: 'It has no short code.' }
  if (fields.originalUrl !== '') return item
  return { kind: 'refused', row, reason: 'It has no original URL.' }
}
