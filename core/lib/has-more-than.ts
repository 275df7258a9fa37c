/** Follows an object among what is left to look at: all that is in it was. */
const ends = Symbol('ends')

/**
 * Whether a value has more entries, characters and bytes, all together and however deep, than `most`, or more entries than
 * `mostEntries`: found without a look at more, so that a list with four thousand million holes takes no time. What has itself in it
 * has more than anything.
 */
export function hasMoreThan(value: unknown, most: number, mostEntries = most): boolean {
  const around = new Set<unknown>()
  const left: unknown[] = [value]
  let size = 0
  let entries = 0
  while (left.length > 0) {
    const it = left.pop()
    if (it === ends) {
      around.delete(left.pop())
      continue
    }
    if (around.has(it)) return true
    const children = childrenOf(it)
    size += children?.length ?? sizeOf(it)
    entries += children?.length ?? 0
    if (size > most || entries > mostEntries) return true
    if (!children) continue
    around.add(it)
    left.push(it, ends)
    for (const child of children) left.push(child)
  }
  return false
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return ArrayBuffer.isView(value) ? value.byteLength : 0
}

function childrenOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
  return Array.isArray(value) ? value : Object.values(value)
}
