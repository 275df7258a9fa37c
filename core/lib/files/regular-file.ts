import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** A pipe may take the place of a file that was just looked at, and opening it would wait for a writer. Windows has no such flag. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file whose path somebody gave, as in a setting. Rejects, before anything is read, if it is missing, and if it is a
 * folder, a device or a pipe: these may never begin or never end, and each read would hold one of Node's few threads.
 *
 * @example
 * const file = await openRegularFile(settings.list)
 * for await (const line of file.readLines()) read(line)
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Opening a device may already do something.
  expectRegular(await stat(path))
  const file = await open(path, flags)
  try {
    expectRegular(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Reads a file whose path somebody gave. Rejects as `openRegularFile` does, and if it has more than `maxBytes`, which is all
 * that is read of it.
 *
 * @example
 * const logo = await readRegularFile(settings.logo, 65_536)
 * const isPng = logo.subarray(1, 4).toString() === 'PNG'
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularFile(path)
  const content = Buffer.concat(await file.createReadStream({ end: maxBytes }).toArray())
  if (content.length > maxBytes) throw tooLarge(maxBytes)
  return content
}

/** As `openRegularFile`, but at once. */
export function openRegularFileSync(path: string | URL): number {
  expectRegular(statSync(path))
  const descriptor = openSync(path, flags)
  try {
    expectRegular(fstatSync(descriptor))
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Reads an open file to its end, which its size need not say, and closes it. Throws if it has more than `maxBytes`. */
export function readToEndSync(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  try {
    for (let bytes = 0; ; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, maxBytes + 1 - bytes))
      const count = readSync(descriptor, chunk)
      if (count === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, count))
      bytes += count
      if (bytes > maxBytes) throw tooLarge(maxBytes)
    }
  } finally {
    closeSync(descriptor)
  }
}

const chunkBytes = 1_048_576

function expectRegular(found: Stats): void {
  if (!found.isFile()) throw new Error('it is not a regular file')
}

const tooLarge = (maxBytes: number) => new Error(`it has more than ${maxBytes} bytes`)
