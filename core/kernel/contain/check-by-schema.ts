import type { z } from 'zod'
import { abandon } from '../../lib/async/thenable.ts'
import { hasMoreThan } from '../../lib/has-more-than.ts'

/** Returns what is wrong with the value that a hook returned, as one sentence; undefined if it matches its type. */
export type Check = (answer: unknown) => string | undefined

export const wrongly = 'it returned an invalid value: '

/** The most of all entries and characters: a schema looks at each, however many it allows. */
export const maxAnswer = 1_000_000

/** How much of what is wrong is said. */
const maxIssues = 3

/** The check of a value by a schema, of at most so many entries and characters; of infinitely many, no entry is looked at to count them. */
export function checkBySchema(schema: z.ZodType, most = maxAnswer): Check {
  // Most hooks return undefined.
  const mayBeNothing = schema.safeParse(undefined).success
  return answer => {
    if (answer === undefined && mayBeNothing) return undefined
    if (most !== Number.POSITIVE_INFINITY && hasMoreThan(answer, most))
      return `${wrongly}it is far too large, or has itself in it`
    const { error } = schema.safeParse(answer)
    if (!error) return undefined
    abandon(answer)
    const wrong = error.issues
      .slice(0, maxIssues)
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    return `${wrongly}${wrong.join('; ')}`
  }
}
