import { z } from 'zod'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'

/** One field of a request that is wrong, and why. */
const fieldErrorSchema = z.object({
  field: z
    .string()
    .meta({ description: 'Name of the field as in the request, such as `rules[2].value`.' }),
  code: z.string().meta({ description: 'Stable identifier for programs.' }),
  message: z.string().meta({ description: 'One sentence for people.' }),
})

/** The one shape of every error: RFC 9457, with a stable code and all wrong fields at once. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ examples: ['urn:linnet:problem:short_code_taken'] }),
    title: z.string().meta({ examples: ['Short code taken'] }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'One sentence for people.' }),
    code: z.string().meta({
      description: 'Stable identifier for programs.',
      examples: ['short_code_taken'],
    }),
    requestId: z.string().meta({ description: 'Identifies this request in the log.' }),
    errors: z.array(fieldErrorSchema),
  })
  .meta({ id: 'Problem', description: 'A problem. Some codes add fields, such as `limit`.' })

export type FieldError = z.output<typeof fieldErrorSchema>
export type Problem = z.output<typeof problemSchema>

/** A refusal of a request whose fields are wrong. */
export interface Rejection extends Refusal {
  readonly errors?: readonly FieldError[]
}

/** How many wrong fields are named in one answer. */
export const maxErrors = 100

/** The problem that a refusal is shown as. */
export function problemOf(refusal: Rejection, requestId: string): Problem {
  const { code, detail, status, field, details } = refusal
  const own = field === undefined ? [] : [{ field, code, message: detail }]
  return {
    ...details,
    type: `urn:linnet:problem:${code}`,
    title: titleOf(code),
    status,
    detail,
    code,
    requestId,
    errors: [...(refusal.errors ?? own)],
  }
}

/** Refuse a request with everything that is wrong in it, at most 100 fields. */
export function invalid(errors: readonly FieldError[]): Rejection {
  const detail =
    errors.length === 1
      ? 'A field of the request is invalid.'
      : 'Several fields of the request are invalid.'
  return { ...refuse('validation_failed', detail), errors: errors.slice(0, maxErrors) }
}

/** A client learns nothing about a bug. The log has the details, under the request's id. */
export const internal = refuse(
  'internal',
  'Something went wrong on the server. Please report it with the request id.',
  500,
)

/** The refusal for an address where there is nothing. */
export const notFound = refuse('not_found', 'There is nothing at this address.', 404)

/** The refusal of an operation that this server does not have. Programs are told of it that know a newer one. */
export const noOperation = refuse(
  'not_found',
  'There is nothing at this address. The server may be older than the program that asks, or a plugin may be switched off.',
  404,
)

/** The refusal for an address that may be meant for another spelling of itself. */
export const notAsWritten = refuse(
  'not_found',
  'There is nothing at this address. Write the words of an address as they are documented, with no percent signs or double slashes.',
  404,
)

/** The refusal for a method that an address does not have. */
export const notAllowed = refuse(
  'method_not_allowed',
  'This method is not allowed here. The header `Allow` lists those that are.',
  405,
)

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
