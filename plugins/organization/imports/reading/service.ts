import { address, optional, secret, z } from '../../../../core/plugin.ts'
import { type Asked, type Note, type Refused, SourceError } from '../source.ts'
import { oneLine } from './texts.ts'

/** The setting for the URL of a service's API, if it is not the usual one. */
export function apiField(usual: string) {
  return address({
    label: 'API',
    hint: 'Where its API is. Change it only if yours is elsewhere.',
    default: usual,
  })
}

/** The setting for the key of a service. Left out, a file is read. */
export function keyField(env: string, hint: string) {
  return optional(secret({ label: 'API key', env, hint, schema: keySchema }))
}

const keySchema = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,2000}$/, 'Must be the key alone, without spaces or line breaks.')

/** The key that people said. Throws without one. */
export function keyOf({ settings }: Asked, label: string): string {
  const { key } = settings
  if (typeof key === 'string' && key !== '') return key
  throw new SourceError(
    `There is neither a file nor an API key. Choose a file that ${label} exported, or enter a key.`,
  )
}

/** What a service calls a link. A place of it may be added to it. */
export const idSchema = z.union([z.string().min(1).max(120), z.number()]).transform(String)
/** A host on which links are. */
export const hostSchema = z.string().min(1).max(253)
/** Text of an API that need not be there. What is none is left out. */
export const someText = z.string().nullish().catch(null)
/** A number that need not be there. */
export const someNumber = z.number().nullish().catch(null)
/** Yes or no, no by default. */
export const someFlag = z.boolean().nullish().catch(null)

/** The id of a thing of an API, whatever else it is. */
export function idOf(it: unknown): string {
  const { id } = Object(it) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(it)
}

/** A thing of an API as it is read, and which parts of it are left out because they are not as they should be. */
export function readThing<S extends z.ZodType>(
  schema: S,
  found: unknown,
):
  | { readonly data: z.output<S>; readonly changes: readonly string[] }
  | { readonly error: z.ZodError } {
  const { data, error } = schema.safeParse(found)
  if (error) return { error }
  const lost = [...lostOf(found, data, '')].slice(0, mostLost)
  const changes = lost.map(
    it =>
      `Its ${oneLine(it).slice(0, 100)} does not come along: it is not what the API should have there.`,
  )
  return { data, changes }
}

const mostLost = 20

/** The names of what is there, and was read as nothing. */
function* lostOf(found: unknown, read: unknown, at: string): Generator<string> {
  if (found === null || found === undefined) return
  if (read === null) yield at
  else if (typeof read === 'object' && typeof found === 'object' && !(read instanceof Date)) {
    for (const [name, value] of Object.entries(read))
      yield* lostOf(Object(found)[name], value, at === '' ? name : `${at}.${name}`)
  }
}

/** A thing of an API that is not as it should be. */
export function notRead(row: string, error: z.ZodError): Refused {
  return { kind: 'refused', row, reason: whyNotRead(error) }
}

/** The same of what is no link. */
export function noteNotRead(row: string, error: z.ZodError): Note {
  return { kind: 'note', row, sentence: whyNotRead(error) }
}

function whyNotRead({ issues }: z.ZodError): string {
  const [first] = issues
  const what = first?.path.length ? `Its ${first.path.join('.')} is` : 'It is'
  return `${what} not what the API should have there.`
}
