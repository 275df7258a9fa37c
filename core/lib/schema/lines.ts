import { z } from 'zod'
import { inForm } from '../text/normal-form.ts'

/**
 * Text that people write for people, such as names and notes: trimmed, in NFC (Unicode Standard Annex 15), so
 * that texts that look the same are the same, and without invisible characters. Joiners stay, since emoji and
 * some scripts are written with them.
 */

// No flags, since JSON Schema has none. The patterns exclude control characters, zero-width spaces, and characters that
// change the direction of the text after them (Unicode Technical Report 36, section 2.10). The second allows tabs and
// line breaks.
const unseen = '\\u007F-\\u009F\\u061C\\u200B\\u2028-\\u202E\\u2060\\u2066-\\u2069\\uFEFF'
const oneLine = new RegExp(`^[^\\u0000-\\u001F${unseen}]*$`)
const anyLines = new RegExp(`^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F${unseen}]*$`)

// Besides spaces and control characters, this excludes letters that show nothing: Hangul fillers such as U+3164,
// joiners, and the empty Braille pattern.
const seen = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

const mustBeSeen =
  'Must not have control characters, invisible spaces or marks that change the direction of the text.'

/**
 * The schema of one line of text, of 1 to `max` characters. It is trimmed. Invisible characters are refused.
 *
 * @example
 * line(5).parse(' fox ') // fox
 */
export function line(max: number) {
  return written(max, oneLine)
}

/**
 * The same, with line breaks and tabs allowed.
 *
 * @example
 * lines(5_000).safeParse('').success // false
 */
export function lines(max: number) {
  return written(max, anyLines)
}

/** Whether a text has at least one visible character. */
export function isSeen(text: string): boolean {
  return seen.test(text)
}

function written(max: number, pattern: RegExp) {
  return z
    .string()
    .trim()
    .overwrite(text => inForm('NFC', text))
    .min(1)
    .max(max)
    .regex(pattern, mustBeSeen)
    .refine(text => text === '' || isSeen(text), 'Must have at least one visible character.')
    .refine(text => text.isWellFormed(), 'Must not have half of a surrogate pair.')
}
