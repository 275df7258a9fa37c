import type { VisitWriter } from './visit-writer.ts'

/** A batch of so many visits, 200 a second, is of a busy time. */
const manyVisits = 50

/** So long without one, and the busy time is over, in milliseconds. */
const calmMs = 15_000

/** The same writer, which gives memory back by `giveBack` when its start or a busy time is over. */
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
