import type { ServerResponse } from 'node:http'
import type { AnswerKind, Measures, Timings } from '../../plugin/services/measures.ts'
import type { Handler } from '../request/split-paths.ts'

/** Counts the answers to visitors, and times some of them. */
export interface AnswerCounts {
  /** Returns the same handler, with its answers counted. */
  counting(follow: Handler): Handler
  read(): Pick<Measures, 'answers' | 'answerSeconds'>
}

/** One in this many answers is timed. A power of two. */
const timedOf = 64

/** In seconds: from the time that a link in the cache takes to the time that a guard may take. */
const bounds = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1]

export function createAnswerCounts(): AnswerCounts {
  const answers: Record<AnswerKind, number> = {
    redirected: 0,
    shown: 0,
    not_found: 0,
    refused: 0,
    failed: 0,
  }
  const perBound = bounds.map(() => 0)
  let seen = 0
  let timed = 0
  let sum = 0

  function count({ statusCode }: ServerResponse): void {
    answers[kindOf(statusCode)] += 1
  }

  function time(ms: number): void {
    const seconds = ms / 1_000
    const index = bounds.findIndex(bound => seconds <= bound)
    if (index !== -1) perBound[index] = (perBound[index] ?? 0) + 1
    timed += 1
    sum += seconds
  }

  function timings(): Timings {
    let below = 0
    const upTo = bounds.map((bound, index) => {
      below += perBound[index] ?? 0
      return [bound, below] as const
    })
    return { upTo, count: timed, sum }
  }

  return {
    counting: follow => (req, res) => {
      seen += 1
      if (seen % timedOf === 0) {
        const began = performance.now()
        res.once('close', () => time(performance.now() - began))
      }
      const work = follow(req, res)
      // A link in the cache is answered by now, so there is nothing to wait for.
      if (res.writableEnded) count(res)
      else res.once('close', () => count(res))
      return work
    },
    read: () => ({ answers: { ...answers }, answerSeconds: timings() }),
  }
}

function kindOf(status: number): AnswerKind {
  if (status >= 500) return 'failed'
  if (status === 404) return 'not_found'
  if (status >= 400) return 'refused'
  return status >= 300 ? 'redirected' : 'shown'
}
