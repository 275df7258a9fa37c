import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Context, KnownAccount } from '../../../../core/plugin.ts'
import { formats } from './formats.ts'
import { tarOf } from './tar.ts'
import { writeBundle } from './write-bundle.ts'

/** The beginning of names of folders in which bundles are written. */
const begun = 'static-'

/** What is older was left by a server that was killed. */
const leftMs = 24 * 3_600_000

/** Bundles for all servers, each in a folder of its name, as a compressed tar archive. */
export async function* archiveOf(
  accounts: () => AsyncIterable<readonly KnownAccount[]>,
  status: number,
  context: Context,
): AsyncGenerator<Uint8Array> {
  const { unstable, now } = context
  const folder = unstable.files.pathOf(`${begun}${randomUUID()}`)
  await removeLeft(dirname(folder), now())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    for (const format of Object.keys(formats) as (keyof typeof formats)[]) {
      await mkdir(join(folder, format))
      const what = { accounts: accounts(), format, folder: join(folder, format), status }
      await writeBundle(what, context)
    }
    const gzip = createGzip()
    // What fails ends the reading below with it.
    pipeline(tarOf(folder, await filesIn(folder), now()), gzip, () => undefined)
    yield* gzip
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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
