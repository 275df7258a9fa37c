import { z } from 'zod'

const sentence = 'Must be a moment of the years 0000 to 9999, in UTC.'

/**
 * The schema of a date and time in requests: ISO 8601 with an offset. Years must have four digits, because others are
 * written in a way (ECMA-262, section 21.4.1.32) that readers of `date-time` do not know.
 *
 * @example
 * momentSchema().safeParse('2026-11-20T09:00').success // false
 */
export function momentSchema(options: { readonly error?: string } = {}) {
  return z.iso
    .datetime({ offset: true, ...options })
    .refine(text => isWritable(new Date(text)), options.error ?? sentence)
}

/** The schema of a moment or a day in a query. */
export const momentOrDay = z.union([momentSchema(), z.iso.date()], {
  error: 'Must be a moment, such as 2026-11-01T08:00:00+01:00, or a day, such as 2026-11-01.',
})

/** Whether the year of a moment has four digits. Also true for an invalid date, which other checks refuse. */
export function isWritable(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return !(year < 0 || year > 9_999)
}
