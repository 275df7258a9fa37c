import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A block of an archive, in bytes. */
const block = 512

/** The longest name that fits into a header, in bytes. */
const maxName = 100

/** Files of a folder as a tar archive (POSIX.1-2001, `ustar` and `pax`), in this order. */
export async function* tarOf(
  folder: string,
  names: readonly string[],
  at: Date,
): AsyncGenerator<Uint8Array> {
  for (const name of names) {
    const path = join(folder, name)
    const { size } = await stat(path)
    if (Buffer.byteLength(name) > maxName)
      yield recordOf({ type: 'x', key: 'path', value: name, at })
    yield headerOf({ name, size, type: '0', at })
    yield* createReadStream(path)
    yield Buffer.alloc(missing(size))
  }
  yield Buffer.alloc(2 * block)
}

/** What every program that reads archives passes over: a comment for all that follows. */
export function commentOf(value: string, at: Date): Uint8Array {
  return recordOf({ type: 'g', key: 'comment', value, at })
}

function headerOf({
  name,
  size,
  type,
  at,
}: {
  readonly name: string
  readonly size: number
  /** `0`: a file, `x`: what does not fit into the next header, `g`: what is said of all that follow. */
  readonly type: '0' | 'x' | 'g'
  readonly at: Date
}): Buffer {
  const header = Buffer.alloc(block)
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0')
  header.write(name, 0, maxName)
  header.write(octal(0o644, 7), 100)
  for (const owner of [108, 116]) header.write(octal(0, 7), owner)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(at.getTime() / 1_000), 11), 136)
  header.write(`        ${type}`, 148)
  header.write('ustar\0' + '00', 257)
  // The sum is made with spaces in its own place.
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

/** `30 path=…` behind a header, where the number is the length of all of it, and so of itself, too. */
function recordOf({
  type,
  key,
  value,
  at,
}: {
  readonly type: 'x' | 'g'
  readonly key: string
  readonly value: string
  readonly at: Date
}): Buffer {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes
  while (`${length}`.length + bytes !== length) length = `${length}`.length + bytes
  const record = Buffer.from(`${length}${rest}`)
  const header = headerOf({ name: 'name', size: record.length, type, at })
  return Buffer.concat([header, record, Buffer.alloc(missing(record.length))])
}

/** How many bytes a block lacks. */
function missing(size: number): number {
  return (block - (size % block)) % block
}
