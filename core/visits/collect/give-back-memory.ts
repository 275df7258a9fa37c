import type { VisitWriter } from './visit-writer.ts'

/** A batch of this many visits, which is 200 a second, means a busy time. */
const manyVisits = 50

/** After this long without such a batch, the busy time is over, in milliseconds. */
const calmMs = 15_000

/** Wraps a writer so that it calls `giveBack` to return memory when its start or a busy time is over. */
export function givingBackMemory<Writer extends VisitWriter>(
  writer: Writer,
  giveBack: () => Promise<void>,
): Writer {
  let timer = setTimeout(giveBack, calmMs).unref()
  return {
    ...writer,
    store(sequence, visits) {
      if (visits.at.length >= manyVisits) {
        clearTimeout(timer)
        timer = setTimeout(giveBack, calmMs).unref()
      }
      return writer.store(sequence, visits)
    },
  }
}
