import { z } from 'zod'
import { inForm } from '../text/normal-form.ts'

/**
 * What people write for people, as names and notes: trimmed, in NFC (Unicode Standard Annex 15), so that
 * what looks the same is the same, and without what nobody sees. Joiners stay, since emoji and some
 * scripts are written with them.
 */

// Without flags, since JSON Schema has none: controls, zero-width spaces, and what turns the direction
// of all that follows (Unicode Technical Report 36, section 2.10). The second keeps tabs and line breaks.
const unseen = '\\u007F-\\u009F\\u200B\\u2028-\\u202E\\u2060\\u2066-\\u2069\\uFEFF'
const oneLine = new RegExp(`^[^\\u0000-\\u001F${unseen}]*$`)
const anyLines = new RegExp(`^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F${unseen}]*$`)

// Besides spaces and controls, letters that show nothing: fillers of Hangul, as U+3164, joiners, and the empty
// pattern of Braille.
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

/** Whether a text has something that can be seen. */
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
