/**
 * Whether a value has more entries, characters and bytes, all together and however deep, than this: found without a look at
 * more, so that a list with four thousand million holes, or one that has itself in it, takes no time.
 */
export function hasMoreThan(value: unknown, most: number): boolean {
  const left: unknown[] = [value]
  let size = 0
  while (left.length > 0) {
    const it = left.pop()
    const children = childrenOf(it)
    size += children?.length ?? sizeOf(it)
    if (size > most) return true
    if (children) for (const child of children) left.push(child)
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
