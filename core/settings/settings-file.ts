import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Adapter, Low, Memory } from 'lowdb'
import type { z } from 'zod'
import { syncFolder } from '../lib/sync-folder.ts'
import { type RunTimeSettings, type SettingsStore, settingsSchema } from './settings.ts'

/** Settings that must not be used; `mistakes` are sentences with the remedy. */
export class UnusableSettings extends Error {
  override readonly name = 'UnusableSettings'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Open the run-time settings in a JSON file; there need not be one yet. Throws `UnusableSettings`. */
export async function openSettingsFile(path: string): Promise<SettingsStore> {
  const low = new Low<unknown>(durableFile(path), {})
  const read = async () => {
    await low.read()
    const checked = settingsSchema.safeParse(low.data)
    if (!checked.success) throw new UnusableSettings(mistakesIn(path, checked.error))
    return checked.data
  }
  // Read again before each change: the command line may have changed the file in between.
  return createStore(low, await read(), read)
}

/** The same without a file. */
export function settingsInMemory(settings: RunTimeSettings = {}): SettingsStore {
  return createStore(new Low<unknown>(new Memory<unknown>(), {}), settings)
}

function createStore(
  low: Low<unknown>,
  stored: RunTimeSettings,
  latest?: () => Promise<RunTimeSettings>,
): SettingsStore {
  const listeners: (() => void)[] = []
  let current = stored
  let isUsable = true
  let lastTurn: Promise<unknown> = Promise.resolve()

  async function readLatest(): Promise<RunTimeSettings> {
    try {
      const next = latest ? await latest() : current
      isUsable = true
      return next
    } catch (error) {
      isUsable = false
      throw error
    }
  }

  async function write(change: (settings: RunTimeSettings) => RunTimeSettings) {
    const next = change(await readLatest())
    low.data = next
    await low.write()
    become(next)
    return next
  }

  function become(next: RunTimeSettings): void {
    current = next
    for (const listener of listeners) listener()
  }

  return {
    read: () => current,
    update(change) {
      const turn = lastTurn.then(() => write(change))
      // Who asked hears of a failure; it must not stop who comes next.
      lastTurn = turn.catch(() => undefined)
      return turn
    },
    reload() {
      const turn = lastTurn.then(async () => {
        const next = await readLatest()
        if (!isDeepStrictEqual(next, current)) become(next)
      })
      lastTurn = turn.catch(() => undefined)
      return turn
    },
    isUsable: () => isUsable,
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

/**
 * A JSON file that a power cut leaves as it was or as it should be: lowdb's own adapter renames a file
 * whose bytes may not be on the disk yet.
 */
function durableFile(path: string): Adapter<unknown> {
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch(missingIsEmpty)
      return parseJson(path, text)
    },
    async write(data) {
      const unfinished = `${path}.new`
      await writeFile(unfinished, `${JSON.stringify(data, null, 2)}\n`, { flush: true })
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    },
  }
}

function missingIsEmpty(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '{}'
  throw error
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnusableSettings([
      `${path} is not JSON: ${(cause as Error).message}. ` +
        'Correct it, or move it away to go back to the settings in the folder config.',
    ])
  }
}

function mistakesIn(path: string, { issues }: z.ZodError): readonly string[] {
  return issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        key => `${path}: ${[...issue.path, key].join('.')} does not exist. Remove it.`,
      )
    }
    const where = issue.path.length === 0 ? 'the whole' : issue.path.join('.')
    return `${path}: ${where} is wrong: ${issue.message}. Correct it, or remove it to go back to the default.`
  })
}
