import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findPlugins, markOf, UnreadableFolder } from '../../outside/find-plugins.ts'
import type { Log } from '../../plugin.ts'
import { settingsBeside } from '../../storage/backups/settings-beside.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import type { News } from '../../storage/news.ts'
import { settingsTopic } from '../stored-settings.ts'
import { pluginsFolder } from './with-outside.ts'

/** How often to look for changes, in milliseconds. */
const lookMs = 1_000

export interface Watched {
  readonly dataDir: string
  /** The state that the server was started with. */
  readonly first: string | undefined
  readonly news: Pick<News, 'on'>
}

/**
 * Applies changes that the command line makes in the data folder of a running server, by polling the folder. That needs
 * no open port, and works from any container that has the folder. Whoever changes settings in a database sends a
 * message instead.
 */
export function watchForChanges(
  { dataDir, first, news }: Watched,
  refresh: () => Promise<void>,
  log: Log,
): { stop(): void } {
  let seen = first
  let isTold = false
  /** The database was out of reach: the change is tried again, because nobody reports it twice. */
  let isTriedAgain = false
  let refreshing = false
  let isOpen = true
  const timer = setInterval(look, lookMs).unref()
  process.on('message', hear)
  news.on(settingsTopic, () => {
    isTold = true
    void look()
  })

  /** Handles a message of the parent process that something has changed. */
  function hear(message: unknown): void {
    if (message === 'look') void look()
  }

  async function look(): Promise<void> {
    const state = stateOf(dataDir) ?? seen
    if ((state === seen && !isTold && !isTriedAgain) || refreshing || !isOpen) return
    seen = state
    isTold = false
    refreshing = true
    try {
      await refresh()
      isTriedAgain = false
    } catch (error) {
      const isAgain = isTriedAgain
      isTriedAgain = isOutOfReach(error)
      // A change that a stopping server refuses takes effect at the next start.
      if (isOpen && !(isAgain && isTriedAgain)) {
        log.error('A change of settings or plugins could not be applied', { error })
      }
      return
    } finally {
      refreshing = false
    }
    await look()
  }

  return {
    stop() {
      isOpen = false
      clearInterval(timer)
      process.off('message', hear)
    },
  }
}

/**
 * A text that differs after each change, and does not vary while a change is being installed. Undefined while the folder cannot be
 * read, as when its disk fails: nobody has taken the plugins away.
 */
export function stateOf(dataDir: string): string | undefined {
  const folder = pluginsFolder({ dataDir })
  try {
    const settings = statSync(settingsBeside(join(dataDir, 'linnet.db')), { throwIfNoEntry: false })
    const marks = existsSync(join(folder, '.ready')) ? 'changing' : marksIn(folder)
    return JSON.stringify([settings?.ctimeMs, settings?.size, marks])
  } catch {
    return undefined
  }
}

function marksIn(folder: string): unknown {
  try {
    return findPlugins(folder).map(it => [it.name, markOf(folder, it)])
  } catch (error) {
    if (error instanceof UnreadableFolder) return error.message
    throw error
  }
}
