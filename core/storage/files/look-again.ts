import type { Log } from '../../plugin.ts'
import type { Damage } from './damage.ts'

/** How long to wait before damage is looked at again, in milliseconds. */
const shortestMs = 2_000
const longestMs = 600_000

/**
 * Reads all of a database again when damage was found, and takes the damage back once all is well: perhaps only its disk
 * failed for a moment. Pauses double, and are at least four times as long as reading takes, so that no disk is kept busy.
 * `check` rejects if the database is damaged or cannot be read.
 */
export function lookAgain(
  damage: Damage,
  check: () => Promise<void>,
  log: Log,
  signal: AbortSignal,
): void {
  let pauseMs = shortestMs
  let isWaiting = false

  async function look(): Promise<void> {
    if (signal.aborted) return
    const beganAt = performance.now()
    const isWell = await check().then(
      () => true,
      () => false,
    )
    const tookMs = performance.now() - beganAt
    pauseMs = Math.max(isWell ? shortestMs : Math.min(2 * pauseMs, longestMs), 4 * tookMs)
    isWaiting = false
    if (!isWell) return wait()
    damage.refute()
    log.info('All of the database was read again: it is not damaged.')
  }

  function wait(): void {
    if (isWaiting) return
    isWaiting = true
    setTimeout(look, pauseMs).unref()
  }

  damage.onFound(wait)
}
