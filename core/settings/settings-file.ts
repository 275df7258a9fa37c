import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { reasonOf } from '../lib/message-for-people.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import {
  parseSettings,
  type RunTimeSettings,
  type SettingsStore,
  UnusableSettings,
} from './settings.ts'
import { createSettingsStore, type SettingsPlace } from './settings-store.ts'

/** Open the run-time settings in a JSON file, which need not exist yet. Throws `UnusableSettings`. */
export async function openSettingsFile(path: string): Promise<SettingsStore> {
  const place = keptIn(durableFile(path))
  return createSettingsStore(place, await place.read())
}

/** The settings in a file; empty if there is no file. Throws `UnusableSettings`. */
export async function readSettingsFile(path: string): Promise<RunTimeSettings> {
  return parseSettings(path, (await readText(path)) ?? '{}')
}

/** Reads the file again before each change: the command line may have changed it in between. */
function keptIn(adapter: Adapter<RunTimeSettings>): SettingsPlace {
  const low = new Low<RunTimeSettings>(adapter, {})
  const read = async () => {
    await low.read()
    return low.data
  }
  return {
    read,
    async change(change) {
      low.data = change(await read())
      await low.write()
      return low.data
    },
  }
}

/**
 * A JSON file that has either its old or its new content after a power cut. lowdb's own adapter is not enough: it
 * renames a file whose bytes may not be on the disk yet.
 */
function durableFile(path: string): Adapter<RunTimeSettings> {
  return {
    read: () => readSettingsFile(path),
    async write(data) {
      const unfinished = `${path}.new`
      await writeFile(unfinished, `${JSON.stringify(data, null, 2)}\n`, { flush: true })
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    },
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UnusableSettings(`${path} cannot be read: ${reasonOf(error)}. Let Linnet read it.`)
  }
}
