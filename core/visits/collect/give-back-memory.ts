import type { RecorderHost } from './recorder-host.ts'

/** A batch of so many visits is of a busy time. */
const manyVisits = 500

/** So long without one, and the busy time is over, in milliseconds. */
const calmMs = 15_000

/** The same host, which gives memory back by `giveBack` when a busy time is over. */
export function givingBackMemory<Host extends RecorderHost>(
  host: Host,
  giveBack: () => Promise<void>,
): Host {
  let timer: NodeJS.Timeout | undefined
  return {
    ...host,
    store(sequence, visits) {
      if (visits.at.length >= manyVisits) {
        clearTimeout(timer)
        timer = setTimeout(giveBack, calmMs).unref()
      }
      return host.store(sequence, visits)
    },
  }
}
