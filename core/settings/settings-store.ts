import { isDeepStrictEqual } from 'node:util'
import { UnusableSettings } from './parse-settings.ts'
import type { RunTimeSettings, SettingsStore } from './settings.ts'

export type SettingsChange = Parameters<SettingsStore['update']>[0]

/** Where settings are kept. */
export interface SettingsPlace {
  read(): Promise<RunTimeSettings>
  /** Read them and keep what becomes of them; nobody comes between. */
  change(change: SettingsChange): Promise<RunTimeSettings>
}

/** Settings that are read at once, and changed one change after the other. */
export function createSettingsStore(place: SettingsPlace, first: RunTimeSettings): SettingsStore {
  const listeners: (() => void)[] = []
  let current = first
  let isUsable = true
  let lastTurn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work)
    // Who asked hears of a failure; it must not stop who comes next.
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
