import { createReadStream } from 'node:fs'
import { createHashSet, type HashSet } from './hash-set.ts'
import { keysInLine } from './list-line.ts'

/** No line of a list is longer, in characters; what is, is no list. */
const maxLine = 16_384

/** Read a list, giving way to others after each 64 KiB. Rejects when the file cannot be read. */
export async function readList(path: string, signal: AbortSignal): Promise<HashSet> {
  const keys = createHashSet()
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', signal })) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = (lines.pop() ?? '').slice(0, maxLine)
    for (const line of lines) for (const key of keysInLine(line)) keys.add(key)
  }
  for (const key of keysInLine(rest)) keys.add(key)
  return keys
}
