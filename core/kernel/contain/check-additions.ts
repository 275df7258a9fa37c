import { z } from 'zod'
import { abandon, isThenable } from '../../lib/async/thenable.ts'
import { hasMoreThan } from '../../lib/has-more-than.ts'
import { counted } from '../../lib/text/shown.ts'
import { checkBySchema, wrongly } from './check-by-schema.ts'

const row = z.record(z.string(), z.unknown())

/** Checks that there is one addition for each link; with a schema, that each has exactly the declared members. */
export function checkAdditions(
  schema?: Readonly<Record<string, z.ZodType>>,
): (answer: unknown, links: number) => string | undefined {
  const check = checkBySchema(
    z.array(schema ? z.strictObject(schema) : row),
    Number.POSITIVE_INFINITY,
  )
  return (answer, links) => {
    if (!Array.isArray(answer)) return check(answer)
    if (answer.length !== links) {
      return `${wrongly}${counted(answer.length, 'addition')} for ${counted(links, 'link')}`
    }
    const unfit = answer.map(unfitToAdd).find(it => it !== undefined)
    return unfit ? `${wrongly}an addition ${unfit}` : check(answer)
  }
}

/** The most that a plugin adds to one link, in characters: a list of links has up to a hundred. */
const maxAddition = 100_000

/** Why a value cannot be added to a link: it is too large, a promise, or JSON has no form for it, as for a bigint. */
export function unfitToAdd(value: unknown): string | undefined {
  if (isThenable(value)) {
    abandon(value)
    return 'is a promise'
  }
  // What most links show costs no more than this.
  if (typeof value === 'string') return value.length > maxAddition ? 'is too large' : undefined
  if (hasMoreThan(value, maxAddition)) return 'is too large, or has itself in it'
  try {
    return JSON.stringify(value).length > maxAddition ? 'is too large' : undefined
  } catch {
    return 'is not JSON'
  }
}
