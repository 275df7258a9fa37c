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
