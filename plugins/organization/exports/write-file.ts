import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Whether there is something at a path. */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Writes a file that nobody else may read, compressed if its name ends with `.gz`. It has its name once it is whole. */
export async function writeWhole(
  path: string,
  content: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const unfinished = `${path}.part`
  // Opened before anything can fail: what is opened later would stay.
  const to = (await open(unfinished, 'w', 0o600)).createWriteStream()
  const from = Readable.from(content)
  try {
    if (path.endsWith('.gz')) await pipeline(from, createGzip(), to, { signal })
    else await pipeline(from, to, { signal })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
