import { z } from 'zod'
import { line } from '../lines.ts'

/** What people give of an account, checked where it comes in: API, command line, environment. */

/** An address as accounts are kept under: lower case. */
export const email = z.email('Give an e-mail address, as ada@example.org.').max(254).toLowerCase()

/** A new password; its strength is its length. */
export const newPassword = z
  .string()
  .min(8, 'Give a password of at least 8 characters.')
  .max(128, 'Give a password of at most 128 characters.')

export const fullName = line(100)
