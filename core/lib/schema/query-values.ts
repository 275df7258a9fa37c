import { z } from 'zod'

/**
 * The schema of a whole number in a query, in decimal digits: no `0x10`, no `1e1`, no spaces.
 *
 * @example
 * queryNumber(1, 100).safeParse('0x10').success // false
 */
export function queryNumber(min: number, max: number) {
  return z.preprocess(
    sent => (typeof sent === 'string' && /^-?\d{1,15}$/.test(sent) ? Number(sent) : sent),
    z.int().min(min).max(max),
  )
}

/**
 * The schema of a list in a query: its values are separated by commas, or the parameter is repeated.
 *
 * @example
 * queryList(z.array(z.string()).max(10)).parse('a,b').length // 2
 */
export function queryList<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return z.preprocess(
    sent =>
      sent === undefined
        ? undefined
        : [sent].flat().flatMap(it => (typeof it === 'string' ? it.split(',') : [it])),
    list,
  )
}

/** The schema of `true` or `false` in a query. */
export const queryBoolean = z.preprocess(
  sent => (sent === 'true' || sent === 'false' ? sent === 'true' : sent),
  z.boolean(),
)
