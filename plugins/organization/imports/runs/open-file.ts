import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SourceError, type SourceFile } from '../source.ts'

/** Unpacked, a file may be so many times as large, and so many bytes: a gigabyte of zeros packs into one megabyte. */
const maxTimes = 200
const maxUnpackedBytes = 64 * 1024 ** 3
/** Small files may unpack to this, whatever they were. */
const alwaysBytes = 16 * 1024 ** 2

/** A file as sources read it: what is compressed by gzip is unpacked. `onRead` hears how far it was read, in bytes of the file. */
export async function openFile(
  path: string,
  name: string,
  onRead: (bytes: number) => void,
): Promise<SourceFile> {
  const { size } = await stat(path)
  if (size === 0) throw new SourceError(`${name} is empty.`)
  const start = await startOf(path)
  if (isZip(start)) {
    throw new SourceError(
      `${name} is a zip file. Unpack it, and take the file in it; gzip (.gz) can be read as it is.`,
    )
  }
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  return {
    name: isPacked ? name.replace(/\.gz$/i, '') : name,
    path,
    bytes: size,
    noteRead: onRead,
    read() {
      const whole = noted(path, onRead)
      return isPacked ? unpacked(whole, name, size) : whole
    },
  }
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function isZip(start: Buffer): boolean {
  return start.toString('latin1') === 'PK\x03\x04'
}

async function* noted(path: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    bytes += part.length
    yield part
    onRead(bytes)
  }
}

async function* unpacked(
  whole: AsyncIterable<Uint8Array>,
  name: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  const most = Math.min(Math.max(size * maxTimes, alwaysBytes), maxUnpackedBytes)
  let bytes = 0
  const bound = new Transform({
    transform(part: Buffer, _, next) {
      bytes += part.length
      if (bytes <= most) return next(null, part)
      next(new SourceError(`${name} unpacks to more than ${most} bytes. Unpack it, and send that.`))
    },
  })
  // What goes wrong ends `bound`, which is read below.
  const parts = pipeline(whole, createGunzip(), bound, () => undefined)
  try {
    for await (const part of parts) yield part
  } catch (error) {
    if (error instanceof SourceError) throw error
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new SourceError(`${name} is not whole: it cannot be unpacked. Send it again.`)
    }
    throw error
  }
}
