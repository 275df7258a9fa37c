import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Adapter, Low } from 'lowdb'
import { isTaken, lockFile } from '../lib/files/lock-file.ts'
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
  const place = keptIn(durableFile(path), `${path}.lock`)
  return createSettingsStore(place, await place.read())
}

/** The settings in a file; empty if there is no file. Throws `UnusableSettings`. */
export async function readSettingsFile(path: string): Promise<RunTimeSettings> {
  return parseSettings(path, (await readText(path)) ?? '{}')
}

/** Changes what another process, such as the command line, left last, and keeps it waiting meanwhile. */
function keptIn(adapter: Adapter<RunTimeSettings>, lockedBy: string): SettingsPlace {
  const low = new Low<RunTimeSettings>(adapter, {})
  const read = async () => {
    await low.read()
    return low.data
  }
  return {
    read,
    async change(change) {
      const lock = await lockInTurn(lockedBy)
      try {
        low.data = change(await read())
        await low.write()
        return low.data
      } finally {
        lock.release()
      }
    },
  }
}

/** A change takes milliseconds. */
const longestWaitMs = 10_000

/** Waits without blocking this thread, which answers visitors. */
async function lockInTurn(path: string) {
  const until = performance.now() + longestWaitMs
  for (;;) {
    try {
      return lockFile(path, 0)
    } catch (error) {
      if (!isTaken(error)) throw whyNotLocked(path, error)
      if (performance.now() > until)
        throw new UnusableSettings(`Another process keeps ${path} locked.`)
      await delay(20)
    }
  }
}

function whyNotLocked(path: string, error: unknown): unknown {
  const { code } = error as { readonly code?: unknown }
  return code === 'SQLITE_NOTADB'
    ? new UnusableSettings(`${path} was not written by Linnet. Remove it; it contains no data.`)
    : error
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
      // Made anew, so that nothing is written where a link of that name leads.
      await rm(unfinished, { force: true })
      await writeFile(unfinished, `${JSON.stringify(data, null, 2)}\n`, { flag: 'wx', flush: true })
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
