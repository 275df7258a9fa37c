import type { Log } from '../../plugin.ts'

/** Logs when visits begin to be dropped and when that has ended, with their number. */
export interface Drops {
  /** Call this for each dropped visit. */
  add(): void
  /** Logs that the drops have ended, if there were any. */
  close(): void
}

/** How long without a drop before they have ended, in milliseconds: a full queue has room for a moment now and then. */
const calmMs = 10_000

const remindEveryMs = 3_600_000

export function watchDrops(log: Log): Drops {
  let timer: NodeJS.Timeout | undefined
  let dropped = 0
  let seen = 0
  let sinceMs = 0

  function look(): void {
    if (dropped === seen) {
      end()
      return
    }
    seen = dropped
    sinceMs += calmMs
    if (sinceMs % remindEveryMs === 0) tell('Visits are still dropped')
  }

  function end(): void {
    clearInterval(timer)
    timer = undefined
    tell('No more visits are dropped')
    dropped = 0
  }

  function tell(what: string): void {
    log.warn(`${what}: ${dropped} since this began`, { dropped })
  }

  return {
    add() {
      dropped += 1
      if (timer !== undefined) return
      log.warn('Visits come faster than they can be stored, so some are dropped')
      seen = 0
      sinceMs = 0
      timer = setInterval(look, calmMs).unref()
    },
    close() {
      if (timer !== undefined) end()
    },
  }
}
