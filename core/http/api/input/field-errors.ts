import type { z } from 'zod'
import { type Casing, nameAsSent, type Path, valueAt } from '../../../lib/text/casing.ts'
import { type FieldError, maxErrors } from '../../send/problem.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The part of a request that fields came from. It also names an error of the part as a whole. */
export type InputPart = 'body' | 'query'

/** What zod found, as errors that name each field the way the client wrote it; the first hundred. */
export function fieldErrors(
  issues: readonly Issue[],
  sent: unknown,
  part: InputPart,
  documented: Casing,
): readonly FieldError[] {
  const nameOf = (path: Path) => nameAsSent(sent, path, documented).slice(0, 200) || part
  // There may be as many as a request has room for, and naming them all would take longer than reading it.
  const some = issues
    .slice(0, maxErrors)
    .flatMap<Wrong>(issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, maxErrors).map(key => ({ path: [...issue.path, key] }))
        : [{ path: issue.path, issue }],
    )
  return some
    .slice(0, maxErrors)
    .map(({ path, issue }) =>
      issue
        ? { field: nameOf(path), code: codeOf(issue, sent), message: issue.message }
        : unknownField(nameOf(path)),
    )
}

/** A place in a request, and what is wrong there; without `issue`, there is no such field. */
interface Wrong {
  readonly path: Path
  readonly issue?: Issue
}

/** A sentence for what zod found, wherever the schema brought none of its own. Shows no input. */
export function sentenceOf(issue: RawIssue): string {
  if (issue.input === undefined) return 'Is required.'
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${typeNames[issue.expected] ?? 'valid'}.`
    case 'too_small':
      if (issue.origin === 'array' && issue.minimum === 1) return 'Choose at least one.'
      return `Must ${measure(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}.`
    case 'too_big':
      return `Must ${measure(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}.`
    case 'invalid_format':
      return formatSentences[issue.format] ?? 'Does not have the right format.'
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'invalid_value':
      return `Must be one of: ${issue.values.map(String).join(', ')}.`
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'Is not valid.'
    default:
      return 'Is not valid.'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const formatSentences: Readonly<Record<string, string>> = {
  url: 'Must be a URL.',
  email: 'Must be an e-mail address.',
  datetime: 'Must be a date and time in ISO 8601, such as 2030-01-31T09:30:00Z.',
  date: 'Must be a date in ISO 8601, such as 2030-01-31.',
}

/** The error for a field that does not exist. */
export function unknownField(field: string): FieldError {
  return { field, code: 'unknown_field', message: 'This field does not exist.' }
}

/** We use zod's own codes, except for two that say too little. */
function codeOf(issue: Issue, sent: unknown): string {
  if (valueAt(sent, issue.path) === undefined) return 'required'
  return issue.code === 'custom' ? 'invalid' : issue.code
}

function measure(origin: string, bound: string, size: number | bigint): string {
  const one = Number(size) === 1
  if (origin === 'string') return `have ${bound} ${size} ${one ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set')
    return `have ${bound} ${size} ${one ? 'item' : 'items'}`
  return `be ${bound} ${size}`
}
