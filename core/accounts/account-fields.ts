import { z } from 'zod'
import { line } from '../lib/schema/lines.ts'
import { type Refusal, refuse } from '../plugin/outcomes.ts'
import { isCommon, isMadeOf } from './common-passwords.ts'

/** The fields of an account that people enter, checked where they come in: API, command line, environment. */

/** An e-mail address as it is stored: in lower case. */
export const email = z
  .email('Enter an e-mail address, such as ada@example.org.')
  .max(254)
  .toLowerCase()

/** The length in characters. Short passwords could be found by trial by somebody who has the database. */
export const minPassword = 12
export const maxPassword = 128

/**
 * A new password, by NIST SP 800-63B-4, 3.1.1.2: long, of any characters, and not too common. Existing
 * passwords stay valid.
 */
export const newPassword = z
  .string()
  .min(minPassword, {
    error: `Enter a password of at least ${minPassword} characters.`,
    abort: true,
  })
  .max(maxPassword, {
    error: `Enter a password of at most ${maxPassword} characters.`,
    abort: true,
  })
  .refine(password => !isCommon(password), {
    error: 'This password is too common. Choose another, such as four random words.',
  })

/** The caller's current password, to be compared. */
export const currentPassword = z
  .string()
  .max(1_000)
  .nullable()
  .meta({ description: 'Your current password; null for an account that has no password yet.' })

/** Words that everybody knows who tries passwords here. */
const wordsOfHere = ['linnet', 'admin', 'administrator', 'link', 'links', 'shortener', 'short']

/** Refuses a password that is made of the address and the name of its own account, and of words of this program. */
export function refuseOwnWords(
  password: string,
  { email, fullName }: { readonly email: string; readonly fullName: string | null },
): Refusal | undefined {
  const rest = password.toLowerCase().replaceAll(email, '')
  if (!isMadeOf(rest, `${email} ${fullName ?? ''} ${wordsOfHere.join(' ')}`)) return undefined
  const detail = 'Choose a password that is not made of the e-mail address, the name or Linnet.'
  return refuse('validation_failed', detail, 422, 'password')
}

export const fullName = line(100).meta({ examples: ['Ada Lovelace'] })
