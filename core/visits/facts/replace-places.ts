import { rmSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import type { PlaceKeeper } from '../../plugin/unstable.ts'
import type { Log, PlaceFact } from '../../plugin.ts'
import { checkMmdb } from './check-mmdb.ts'
import { builtAt, metadataOf, readMetadata } from './mmdb-file.ts'
import { factNames } from './open-places.ts'
import { bundledFor, newerName } from './place-files.ts'

const nowhere: PlaceKeeper = {
  newerBuiltAt: () => undefined,
  replace: () => Promise.reject(new Error('this instance has no folder for location data')),
}

/** Twice what the largest of the free files has. */
const defaultMaxBytes = 500e6

const ending = '.unfinished'
const leftMs = 3_600_000

const facts: readonly PlaceFact[] = ['place', 'city']

const typesOf: Readonly<Record<PlaceFact, RegExp>> = {
  place: /country|city|enterprise/i,
  city: /city|enterprise/i,
}

/** Keeps newer files of places in a folder; undefined: there is none, as where nothing is kept in files. */
export function keepPlaces(folder: string | undefined, maxBytes = defaultMaxBytes): PlaceKeeper {
  if (folder === undefined) return nowhere
  const pathOf = (fact: PlaceFact) => join(folder, newerName[fact])
  return {
    newerBuiltAt(fact) {
      const metadata = metadataOf(pathOf(fact))
      return metadata && builtAt(metadata)
    },
    async replace(fact, content) {
      await mkdir(folder, { recursive: true })
      await removeLeft(folder)
      // Workers have one folder, and may all be at it.
      const unfinished = `${pathOf(fact)}.${process.pid}${ending}`
      try {
        await write(unfinished, content, maxBytes)
        const { databaseType } = readMetadata(unfinished)
        const isFit = typesOf[fact].test(databaseType) && (await checkMmdb(unfinished)).has(fact)
        if (!isFit) {
          throw new Error(`a file of the type ${databaseType} does not contain this data`)
        }
        refuseStale(unfinished, [pathOf(fact), ...bundledFor(fact)])
        await rename(unfinished, pathOf(fact))
        await syncFolder(folder)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
  }
}

/** A file of this month may be some days older than that of a package, but not by more than this. */
const staleMs = 31 * 86_400_000

/** Throws if a file is much older than one that it would replace, as from a mirror that nobody renews. */
function refuseStale(path: string, inUse: readonly string[]): void {
  const dates = inUse.map(it => metadataOf(it)?.buildEpoch.getTime() ?? Number.NaN)
  const newest = Math.max(...dates.filter(date => !Number.isNaN(date)))
  const offered = metadataOf(path)?.buildEpoch.getTime() ?? Number.NaN
  if (newest - offered > staleMs) {
    throw new Error(`it is of ${dayOf(offered)}, and the data in use is of ${dayOf(newest)}`)
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Deletes downloads that an upgrade of Linnet overtook: they would hide the newer data that comes with it. */
export function removeOutdatedPlaces(folder: string, log: Log): void {
  for (const fact of facts) {
    const path = join(folder, newerName[fact])
    const downloaded = metadataOf(path)
    const [bundled] = downloaded ? bundledFor(fact).map(metadataOf) : []
    // A date that cannot be read is not older than any.
    if (!downloaded || !bundled || !(downloaded.buildEpoch < bundled.buildEpoch)) continue
    rmSync(path, { force: true })
    log.info(
      `${factNames[fact]} of visitors come from the data of this version of Linnet again: the downloaded data was older`,
    )
  }
}

/** Those whose process was killed: nobody writes for an hour. */
async function removeLeft(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => name.endsWith(ending))
  for (const path of names.map(name => join(folder, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }))
    if (mtimeMs < Date.now() - leftMs) await rm(path, { force: true })
  }
}

async function write(
  path: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    let bytes = 0
    for await (const part of content) {
      bytes += part.length
      if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
      await file.write(part)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}
