import { isDeepStrictEqual } from 'node:util'
import { type RunTimeSettings, type SettingsStore, UnusableSettings } from './settings.ts'

export type SettingsChange = Parameters<SettingsStore['update']>[0]

/** Where settings are kept. */
export interface SettingsPlace {
  read(): Promise<RunTimeSettings>
  /** Read the settings and store the changed ones, with no other change in between. */
  change(change: SettingsChange): Promise<RunTimeSettings>
}

/** Settings in which a change can be tried: it is made to those that there are now, and kept by nobody else. */
export function draftOf(settings: Pick<SettingsStore, 'read'>): SettingsStore {
  const read = async () => settings.read()
  return createSettingsStore(
    { read, change: async change => change(await read()) },
    settings.read(),
  )
}

/** A settings store that is read synchronously and makes one change at a time. */
export function createSettingsStore(place: SettingsPlace, first: RunTimeSettings): SettingsStore {
  const listeners: (() => void)[] = []
  let current = first
  let isUsable = true
  let lastTurn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work)
    // The caller hears of a failure; it must not stop the next in line.
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  async function watched(work: Promise<RunTimeSettings>): Promise<RunTimeSettings> {
    try {
      const settings = await work
      isUsable = true
      return settings
    } catch (error) {
      if (error instanceof UnusableSettings) isUsable = false
      throw error
    }
  }

  function become(next: RunTimeSettings): void {
    current = next
    for (const listener of listeners) listener()
  }

  return {
    read: () => current,
    update: change =>
      inTurn(async () => {
        const next = await watched(place.change(change))
        become(next)
        return next
      }),
    reload: () =>
      inTurn(async () => {
        const next = await watched(place.read())
        if (!isDeepStrictEqual(next, current)) become(next)
      }),
    isUsable: () => isUsable,
    onChange(listener) {
      listeners.push(listener)
    },
  }
}
