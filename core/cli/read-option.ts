import type { z } from 'zod'
import { sentenceOf } from '../http/api/input/field-errors.ts'
import { UserError } from '../lib/user-error.ts'

/** The text of an option, checked and read as the API does with the same field. Throws a `UserError` that names the option. */
export function readOption<T>(option: string, text: string, schema: z.ZodType<T, string>): T {
  const { data, error } = schema.safeParse(text, { error: sentenceOf })
  // Not shown: it may steer the terminal.
  if (error) throw new UserError(`${option} cannot be used: ${error.issues[0]?.message}`)
  return data as T
}
