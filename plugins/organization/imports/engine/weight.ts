import type { Item } from '../source.ts'

/** How much memory items take that are written together, in bytes. */
export const heldTogether = 2 ** 20

/** How much one may take: a link has some ten thousand characters, and counts some thousand numbers. What is more was made to harm. */
const heaviest: Partial<Readonly<Record<Item['kind'], number>>> = {
  link: 2 ** 18,
  counts: 2 ** 23,
}
const usualWeight = 2 ** 14
const longestRow = 200

/** About how many bytes of memory an item takes. What takes more than anything that can come is refused in its place. */
export function weigh(item: Item): { readonly item: Item; readonly weight: number } {
  const most = heaviest[item.kind] ?? usualWeight
  const weight = weightOf(item, most)
  if (weight <= most) return { item, weight }
  const reason = 'It is larger than anything that can come.'
  return {
    item: { kind: 'refused', row: item.row.slice(0, longestRow), reason },
    weight: usualWeight,
  }
}

/** What has more in each other was made to harm. */
const deepest = 100

/** About how many bytes of memory a value takes. Beyond `most` it is not looked at further. */
export function weightOf(value: unknown, most: number, depth = 0): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 16
  if (depth > deepest) return most + 1
  let weight = 16
  // A list may have a million parts, whose names alone would take long.
  if (Array.isArray(value)) {
    for (const part of value) {
      if (weight > most) break
      weight += weightOf(part, most - weight, depth + 1)
    }
    return weight
  }
  for (const name in value) {
    if (weight > most) break
    const part = value[name as keyof typeof value]
    weight += name.length + weightOf(part, most - weight, depth + 1)
  }
  return weight
}
