import { z } from 'zod'

const sentence = 'Must be a moment of the years 0000 to 9999, in UTC.'

/**
 * A moment as requests give it: ISO 8601 with an offset. Other years than those of four digits are written
 * in another way (ECMA-262, section 21.4.1.32), which no reader of `date-time` knows, so they are refused.
 *
 * @example
 * momentSchema().safeParse('2026-11-20T09:00').success // false
 */
export function momentSchema(options: { readonly error?: string } = {}) {
  return z.iso
    .datetime({ offset: true, ...options })
    .refine(text => isWritable(new Date(text)), options.error ?? sentence)
}

/** Whether a moment can be written with a year of four digits; so can what is none, which others refuse. */
export function isWritable(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return !(year < 0 || year > 9_999)
}
