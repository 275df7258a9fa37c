import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Extracts an MMDB file from a download, which is the file itself, a gzip of it, or a gzipped tar. */
export async function* unpack(sent: Uint8Array): AsyncGenerator<Uint8Array> {
  const isPacked = sent[0] === 0x1f && sent[1] === 0x8b
  // Starts only when it is read, because nobody would handle an error before that.
  const whole = Readable.from([sent], { objectMode: false })
  yield* outOfTar(isPacked ? whole.pipe(createGunzip()) : whole)
}

const block = 512

/** The mark of a tar: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html */
const mark = { at: 257, text: 'ustar' }

/** The file in a tar whose name ends with `.mmdb`; everything if the content is not a tar. */
async function* outOfTar(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  let isTar: boolean | undefined
  /** The bytes left of an entry, whether it is the wanted file, and the padding of its last block. */
  let left = 0
  let isWanted = false
  let filling = 0
  for await (const part of content) {
    rest = Buffer.concat([rest, part])
    if (isTar === undefined && rest.length < block) continue
    isTar ??= rest.toString('latin1', mark.at, mark.at + mark.text.length) === mark.text
    while (isTar && rest.length > 0) {
      if (left > 0) {
        const taken = rest.subarray(0, left)
        if (isWanted) yield taken
        left -= taken.length
        rest = rest.subarray(taken.length)
      } else if (filling > 0) {
        const skipped = Math.min(filling, rest.length)
        filling -= skipped
        rest = rest.subarray(skipped)
      } else {
        if (rest.length < block) break
        const name = rest.toString('utf8', 0, 100).replace(/\0.*$/s, '')
        left = Number.parseInt(rest.toString('latin1', 124, 136), 8) || 0
        filling = (block - (left % block)) % block
        isWanted = name.endsWith('.mmdb')
        rest = rest.subarray(block)
      }
    }
    if (!isTar) {
      yield rest
      rest = Buffer.alloc(0)
    }
  }
  if (isTar === undefined) yield rest
  if (left > 0) throw new Error('the archive ends before the file does')
}
