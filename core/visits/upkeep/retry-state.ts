import { messageForPeople } from '../../lib/message-for-people.ts'
import type { Log } from '../../plugin.ts'

/** Tracks something that is retried until it works: logs once that it fails, and once that it works again. */
export interface RetryState {
  /** Returns how long to wait before the next try, in milliseconds: longer each time. */
  failed(error: unknown): number
  over(): void
  /** Why the last try failed; undefined if it did not. */
  reason(): string | undefined
  /** The error of the last try; undefined if it did not fail. */
  cause(): unknown
}

const firstPauseMs = 100
const longestPauseMs = 5_000

/** `began` and `ended` are the log messages. */
export function trackRetries(log: Log, began: string, ended: string): RetryState {
  let reason: string | undefined
  let cause: unknown
  let pauseMs = firstPauseMs
  return {
    failed(error) {
      if (reason === undefined) log.error(began, { error })
      reason = messageForPeople(error)
      cause = error
      const thisPauseMs = pauseMs
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      return thisPauseMs
    },
    over() {
      if (reason !== undefined) log.info(ended)
      reason = undefined
      cause = undefined
      pauseMs = firstPauseMs
    },
    reason: () => reason,
    cause: () => cause,
  }
}
