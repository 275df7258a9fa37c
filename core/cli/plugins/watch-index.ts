import { IndexUnusable, type PluginIndex } from '../../outside/plugin-index.ts'
import type { Log } from '../../plugin.ts'

const dayMs = 86_400_000

/** Reads the index of plugins now and each day, so that health can name installed plugins that were withdrawn. */
export function watchIndex(index: PluginIndex, log: Log): { stop(): void } {
  const look = async () => {
    await index.read().catch(error => {
      if (error instanceof IndexUnusable) {
        log.warn(`Withdrawn plugins could not be looked up: ${error.message}`)
      } else log.warn('The index of plugins could not be read', { error })
    })
  }
  const timer = setInterval(look, dayMs).unref()
  void look()
  return { stop: () => clearInterval(timer) }
}
