import { digestOf } from '../digest.ts'

/** Names that were there before. */
export interface Seen {
  has(name: string): boolean
  /** False if it was there before. */
  add(name: string): boolean
}

/** A source may have any number of names, of any length: at least the last `most` are remembered, and long ones by their digest. */
export function createSeen(most = 50_000): Seen {
  let last = new Set<string>()
  let older = new Set<string>()
  const has = (mark: string) => last.has(mark) || older.has(mark)

  return {
    has: name => has(markOf(name)),
    add(name) {
      const mark = markOf(name)
      if (has(mark)) return false
      if (last.size >= most) {
        older = last
        last = new Set()
      }
      last.add(mark)
      return true
    },
  }
}

function markOf(name: string): string {
  return name.length > 64 ? digestOf(name) : name
}
