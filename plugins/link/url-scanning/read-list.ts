import { openRegularFile } from '../../../core/plugin.ts'
import { createHashSet, type HashSet } from './hash-set.ts'
import { keysInLine } from './list-line.ts'

/** How much of an unfinished line is kept, in characters. No line of a real list is longer. */
const maxLine = 16_384

/** Maximum size of a list, in bytes. The largest public lists have a fifth of that. */
const maxListBytes = 256 * 2 ** 20

/** Reads a list, and lets other work run after each 64 KiB. Rejects if the file cannot be read or is too large. */
export async function readList(
  path: string,
  signal: AbortSignal,
  maxBytes = maxListBytes,
): Promise<HashSet> {
  const keys = createHashSet()
  let rest = ''
  const stream = (await openRegularFile(path)).createReadStream({ encoding: 'utf8', signal })
  for await (const chunk of stream) {
    // Counts the bytes read, because some files, such as those in /proc, do not tell their size.
    if (stream.bytesRead > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    const lines = `${rest}${chunk}`.split('\n')
    rest = (lines.pop() ?? '').slice(0, maxLine)
    for (const line of lines) for (const key of keysInLine(line)) keys.add(key)
  }
  for (const key of keysInLine(rest)) keys.add(key)
  return keys
}
