import { z } from 'zod'
import { readHash } from '../lib/foreign-hashes.ts'
import type { MoreSchemes } from '../lib/net/target-schemes.ts'
import { checkAddress, maxUrlLength } from '../lib/net/web-address.ts'
import { hashPassword, isToHashAnew, matchesPassword } from '../lib/passwords.ts'
import { momentSchema } from '../lib/schema/moment.ts'

/**
 * A field of links, or a setting of a plugin. Its declaration gives the type that hooks see, the check in the API, the
 * stored form and the control in the dashboard.
 *
 * @example
 * fields: { mood: choice(['calm', 'glad'], { label: 'Mood' }), opensAt: date({ label: 'Opens at' }) }
 */
export interface Field<Given = unknown, Opened = unknown> {
  readonly label: string
  readonly control: Control
  readonly hint?: string
  /** What people read in place of the values of a choice, by value. */
  readonly labels?: Readonly<Record<string, string>>
  /** The values that the API accepts. Null is accepted too, and clears the field. */
  readonly schema: z.ZodType<Given>
  /** False: null is refused. Default: true. */
  readonly canBeCleared?: boolean
  /** The requests that may have it. Default: both. */
  readonly when?: 'create' | 'edit'
  /** False: the value is not stored, and only `prepare`, `validate` and `save` see it. */
  readonly stored: boolean
  /** The value of a setting that is not set. */
  readonly default?: Given
  /** True: a setting that is not set is undefined. */
  readonly isOptional?: true
  /** The environment variable that holds a secret setting. */
  readonly env?: string
  /** The stored form of a value, as JSON. */
  store(given: Given): Json | Promise<Json>
  /**
   * What is stored where another program has only a hash of the value, or why that cannot be, as a sentence. Leave it out
   * where hashes cannot be checked.
   */
  storeHash?(hash: string): { readonly stored: Json } | { readonly problem: string }
  /** URLs in a value that a link may lead to. Only for fields that are stored as they are. */
  addresses?(given: Given): readonly string[]
  /**
   * The form that hooks see, made from the stored form. Where a link is followed, `renew` stores another form of the same
   * value in place of this one, some time later; the link counts as unchanged.
   */
  open(stored: Json, renew?: (form: () => Promise<Json>) => void): Opened
  /** How links show it in answers of the API. Leave it out to hide it. */
  readonly shown?: {
    readonly name: (key: string) => string
    readonly schema: z.ZodType
    of(stored: Json | undefined): Json
  }
}

/** Controls of the dashboard. `none` hides the field there. */
export type Control =
  | 'text'
  | 'number'
  | 'choice'
  | 'date'
  | 'toggle'
  | 'address'
  | 'password'
  | 'list'
  | 'none'
  | (string & {})

/** A JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Fields by name, in camelCase. An interface, because errors of the compiler name those, and spell types out. */
export interface Fields {
  readonly [name: string]: Field
}

/**
 * The stored fields of a link as hooks see them. Fields that are not set are absent.
 *
 * @example
 * guard({ password }) {
 *   if (!password) return
 * }
 */
export type Opened<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer _, infer Value> ? Value : never
}

/** The fields of a request: undefined if it does not have the field, null if it clears it. */
export type Given<F extends Fields> = {
  readonly [K in keyof F]?: (F[K] extends Field<infer Value, infer _> ? Value : never) | null
}

/**
 * A plugin's settings as hooks see them.
 *
 * @example
 * setup: ({ settings: { hosts } }) => hosts.map(host => host.toLowerCase())
 */
export type Settings<S extends Fields> = {
  readonly [K in keyof S]: OpenedField<S[K]>
}
type OpenedField<F> = F extends Field<infer _, infer Value> ? Value : never

interface Common<T> {
  readonly label: string
  readonly hint?: string
  readonly when?: 'create' | 'edit'
  readonly stored?: boolean
  readonly canBeCleared?: boolean
  readonly default?: T
}

/**
 * A field with a zod schema of your own, whose values are JSON.
 *
 * @example
 * field(z.object({ from: z.int(), to: z.int() }), { label: 'Hours', control: 'hours' })
 */
export function field<T extends Json>(
  schema: z.ZodType<T>,
  options: Common<T> & {
    readonly control: Control
    addresses?(given: T): readonly string[]
  },
): Field<T, T> {
  return {
    ...options,
    schema,
    stored: options.stored ?? true,
    store: given => given,
    open: stored => stored as T,
    shown: asStored(schema),
  }
}

/** Shows a field under its own name as it is stored; null if it is not set. */
function asStored(schema: z.ZodType): NonNullable<Field['shown']> {
  return { name: key => key, schema: schema.nullable(), of: stored => stored ?? null }
}

/**
 * One line of text. `min` (default 1) and `max` (default 500) are in characters.
 *
 * @example
 * text({ label: 'Time zone', hint: 'As Europe/Berlin.', default: 'UTC' })
 */
export function text(options: Common<string> & { min?: number; max?: number; pattern?: RegExp }) {
  const { min = 1, max = 500, pattern, ...rest } = options
  const length = z.string().min(min, { abort: true }).max(max, { abort: true })
  const wrong = rest.hint && `Does not have the right format: ${rest.hint}`
  return field(pattern ? length.regex(pattern, wrong) : length, { ...rest, control: 'text' })
}

/**
 * A number from `min` (default 0) to `max`, in multiples of `step` (default 1).
 *
 * @example
 * number({ label: 'Visits until it ends', min: 1 })
 */
export function number(options: Common<number> & { min?: number; max?: number; step?: number }) {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, step = 1, ...rest } = options
  const range = z.number().min(min).max(max)
  return field(step === 1 ? range.int() : range.multipleOf(step), { ...rest, control: 'number' })
}

/**
 * One of some words. `labels` are what people read in the dashboard in place of them.
 *
 * @example
 * choice(['allow', 'refuse'], { label: 'When nobody can tell', default: 'allow', labels: { allow: 'Let pass' } })
 */
export function choice<const W extends readonly [string, ...string[]]>(
  words: W,
  options: Common<W[number]> & { labels?: Readonly<Partial<Record<W[number], string>>> },
): Field<W[number], W[number]> {
  if (!words?.length) throw new Error("choice needs its words first, such as ['calm', 'glad']")
  return field(z.enum(words), { ...options, control: 'choice' })
}

/**
 * Yes or no.
 *
 * @example
 * toggle({ label: 'Closed', hint: 'Visitors are turned away.' })
 */
export function toggle(options: Common<boolean>) {
  return field(z.boolean(), { ...options, control: 'toggle' })
}

/**
 * A list of texts: at most `max` (default 100), each of at most `maxEach` (default 500) characters.
 *
 * @example
 * list({ label: 'Allowed hosts', hint: 'As example.com.', default: [] })
 */
export function list(options: Common<readonly string[]> & { max?: number; maxEach?: number }) {
  const { max = 100, maxEach = 500, ...rest } = options
  const lines = z.array(z.string().min(1).max(maxEach)).max(max).readonly()
  return field<readonly string[]>(lines, { ...rest, control: 'list' })
}

/**
 * A date and time. Requests send ISO 8601 with an offset. It is stored and shown as ISO 8601 in UTC. Hooks see a `Date`.
 *
 * @example
 * date({ label: 'Opens at' })
 */
export function date(options: Common<string>): Field<string, Date> {
  return {
    ...options,
    control: 'date',
    schema: momentSchema(),
    stored: options.stored ?? true,
    store: given => new Date(given).toISOString(),
    open: stored => new Date(String(stored)),
    shown: asStored(z.iso.datetime()),
  }
}

/**
 * An http or https URL, checked and stored like original URLs. It may point to this instance: check that in `validate`
 * with `context.links.leadsBack`. With `leads`, because visitors are sent there, it may also have a scheme that the operator
 * allows, such as `mailto`. Linnet checks that for fields of links, and for what an endpoint names in `addresses`.
 *
 * @example
 * address({ label: 'Address after the end', leads: true })
 */
export function address(options: Common<string> & { leads?: true }): Field<string, string> {
  const { leads, ...rest } = options
  return {
    ...rest,
    control: 'address',
    schema: leads ? anyAddress : webAddress,
    stored: rest.stored ?? true,
    store: given => given,
    addresses: given => [given],
    open: String,
    shown: asStored(shownAddress),
  }
}

/** The schema of a URL that a user entered, for answers. */
export const shownAddress = z.string().meta({
  description:
    'Written as in the URL Standard (WHATWG), which leaves some characters unescaped that RFC 3986 escapes.',
})

const webAddress = addressWith([]).meta(
  describedAddress(`An http or https URL of at most ${maxUrlLength} characters.`),
)

const anyAddress = addressWith('any').meta(
  describedAddress(
    `An http or https URL, or one with another scheme that this instance allows, of at most ${maxUrlLength} characters.`,
  ),
)

function addressWith(more: MoreSchemes) {
  return z.string().transform((text, context) => {
    const checked = checkAddress(text, more)
    if ('href' in checked) return checked.href
    context.addIssue({ code: 'custom', message: checked.problem })
    return z.NEVER
  })
}

/** Describes an address in a request for OpenAPI. It may have letters beyond ASCII, so it is an IRI (RFC 3987). */
export function describedAddress(description: string) {
  return { description, format: 'iri', maxLength: maxUrlLength }
}

/**
 * A hashed text. It can be compared, but not read.
 *
 * @example
 * await password.matches(answers.password ?? '')
 */
export interface Sealed {
  /** Whether the attempt is the text. Throws if too many comparisons are waiting; do not catch that error. */
  matches(attempt: string): Promise<boolean>
}

/**
 * A text that is stored as a hash, such as a password, of `min` (default 1) to `max` (default 128) characters. Answers
 * only say whether it is set, as `hasPassword` for `password`.
 *
 * @example
 * sealed({ label: 'Password', min: 4 })
 */
export function sealed(options: Common<string> & { min?: number; max?: number }) {
  const { min = 1, max = 128, ...rest } = options
  const opened: Field<string, Sealed> = {
    ...rest,
    control: 'password',
    schema: z.string().min(min).max(max),
    stored: true,
    store: hashPassword,
    storeHash: readHash,
    open: (stored, renew) => ({
      async matches(attempt) {
        const isRight = await matchesPassword(attempt, String(stored))
        if (isRight && isToHashAnew(attempt, String(stored))) renew?.(() => hashPassword(attempt))
        return isRight
      },
    }),
    shown: {
      name: key => `has${key.charAt(0).toUpperCase()}${key.slice(1)}`,
      schema: z.boolean(),
      of: stored => stored !== undefined,
    },
  }
  return opened
}

/**
 * A setting that may be empty. It is undefined then.
 *
 * @example
 * optional(address({ label: 'Webhook' }))
 */
export function optional<Given, Value>(of: Field<Given, Value>): Field<Given, Value | undefined> {
  return { ...of, isOptional: true }
}

/**
 * A setting that is read from an environment variable. It is neither stored nor shown.
 *
 * @example
 * secret({ label: 'Signing secret', env: 'WEBHOOK_SECRET' })
 */
export function secret(options: {
  readonly label: string
  readonly env: string
  readonly hint?: string
  /** The check of the value. Its message says what to enter. */
  readonly schema?: z.ZodType<string>
}): Field<string, string | undefined> {
  return {
    schema: z.string(),
    ...options,
    control: 'password',
    stored: false,
    store: () => null,
    open: stored => (typeof stored === 'string' ? stored : undefined),
  }
}
