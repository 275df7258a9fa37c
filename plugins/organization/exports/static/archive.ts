import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Context, KnownAccount } from '../../../../core/plugin.ts'
import { formats } from './formats.ts'
import { plainUrls } from './plain-urls.ts'
import { commentOf, tarOf } from './tar.ts'
import { beginBundle } from './write-bundle.ts'

/** The beginning of names of folders in which bundles are written. */
const begun = 'static-'

/** What is older was left by a server that was killed. */
const leftMs = 24 * 3_600_000

/** Whose links, and the status of those that choose none. */
interface Wanted {
  readonly accounts: AsyncIterable<readonly KnownAccount[]>
  readonly status: number
}

/** Bundles for all servers, each in a folder of its name, as a compressed tar archive. */
export async function* archiveOf(what: Wanted, context: Context): AsyncGenerator<Uint8Array> {
  const { unstable, now } = context
  const folder = unstable.files.pathOf(`${begun}${randomUUID()}`)
  await removeLeft(dirname(folder), now())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // What there is goes out at once: proxies give up on an answer of which nothing comes for a minute.
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  const packing = pipeline(writeAll(what, folder, context), gzip)
  // What fails ends the reading with it.
  const packed = packing.catch(() => undefined)
  try {
    yield* gzip
  } finally {
    // Also where the client left: nothing is written into the folder any more when it is removed.
    gzip.destroy()
    await packed
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the links once for all bundles. In between it says so, since whoever left is noticed only when something is sent. */
async function* writeAll(
  what: Wanted,
  folder: string,
  context: Context,
): AsyncGenerator<Uint8Array> {
  const names = Object.keys(formats) as (keyof typeof formats)[]
  for (const name of names) await mkdir(join(folder, name))
  const bundles = names.map(name => beginBundle(name, join(folder, name), context))
  for await (const some of plainUrls(what, context)) {
    for (const bundle of bundles) await bundle.take(some)
    yield commentOf('Links are read.', context.now())
  }
  for (const bundle of bundles) {
    await bundle.finish()
    yield commentOf('A bundle is ready.', context.now())
  }
  yield* tarOf(folder, await filesIn(folder), context.now())
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(it => it.isFile())
    .map(it => relative(folder, join(it.parentPath, it.name)))
    .toSorted()
}

async function removeLeft(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(it => it.startsWith(begun))) {
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < now.getTime() - leftMs) await rm(join(folder, name), { recursive: true })
  }
}
