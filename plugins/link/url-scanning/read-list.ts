import { createReadStream } from 'node:fs'
import { createHashSet, type HashSet } from './hash-set.ts'
import { keysInLine } from './list-line.ts'

/** No line of a list is longer, in characters; what is, is no list. */
const maxLine = 16_384

/** No list has so many bytes: the largest public ones have a fifth of that. */
export const maxListBytes = 256 * 2 ** 20

/** Read a list, giving way to others after each 64 KiB. Rejects when the file cannot be read, or is larger. */
export async function readList(
  path: string,
  signal: AbortSignal,
  maxBytes = maxListBytes,
): Promise<HashSet> {
  const keys = createHashSet()
  let rest = ''
  const stream = createReadStream(path, { encoding: 'utf8', signal })
  for await (const chunk of stream) {
    // By what was read: some files, as those in /proc, do not say how long they are.
    if (stream.bytesRead > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    const lines = `${rest}${chunk}`.split('\n')
    rest = (lines.pop() ?? '').slice(0, maxLine)
    for (const line of lines) for (const key of keysInLine(line)) keys.add(key)
  }
  for (const key of keysInLine(rest)) keys.add(key)
  return keys
}
