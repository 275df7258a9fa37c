import { z } from 'zod'
import { momentSchema } from '../lib/moment.ts'
import { hashPassword, matchesPassword } from '../lib/passwords.ts'
import { checkWebAddress, maxUrlLength } from '../lib/web-address.ts'

/**
 * What a link can carry and what a plugin can be set to. One declaration gives four things: the type
 * that hooks see, the check at the API, the stored form and the control in the dashboard.
 *
 * @example
 * fields: { mood: choice(['calm', 'glad'], { label: 'Mood' }), opensAt: date({ label: 'Opens at' }) }
 */
export interface Field<Given = unknown, Opened = unknown> {
  readonly label: string
  readonly control: Control
  readonly hint?: string
  /** What the API accepts; null, which clears the field, is accepted besides. */
  readonly schema: z.ZodType<Given>
  /** False: null is refused, since a link cannot be without. */
  readonly canBeCleared?: boolean
  /** When a request may carry it; absent: when creating and when editing. */
  readonly when?: 'create' | 'edit'
  /** False: only `prepare` and `validate` see it, nothing is kept. */
  readonly stored: boolean
  /** The value of a setting nobody set. */
  readonly default?: Given
  /** True: a setting that nobody set is undefined. */
  readonly isOptional?: true
  /** The environment variable that holds a secret setting. */
  readonly env?: string
  /** The form that is written to the database: plain JSON. */
  store(given: Given): Json | Promise<Json>
  /** Addresses in a value that a link may lead to; for fields that are stored as they are given. */
  addresses?(given: Given): readonly string[]
  /** The form that hooks see, from what `store` gave. */
  open(stored: Json): Opened
  /** How it shows in a link's answer; absent: not at all. */
  readonly shown?: {
    readonly name: (key: string) => string
    readonly schema: z.ZodType
    of(stored: Json | undefined): Json
  }
}

/** The dashboard's controls; `none` is for programs alone. */
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

/** What JSON can say. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Fields by name, names in camelCase. */
export type Fields = Readonly<Record<string, Field>>

/**
 * What hooks see of a link's stored fields: a field that is not set is absent.
 *
 * @example
 * guard({ password }) {
 *   if (!password) return
 * }
 */
export type Opened<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer _, infer Value> ? Value : never
}

/** What a request gave: undefined when it did not name the field, null when it clears it. */
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
 * Any zod schema whose values are plain JSON.
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
    shown: { name: key => key, schema: schema.nullable(), of: stored => stored ?? null },
  }
}

/**
 * One line of text, lengths in characters.
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
 * A finite number; whole unless `step` says otherwise.
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
 * One of a few words.
 *
 * @example
 * choice(['allow', 'refuse'], { label: 'When nobody can tell', default: 'allow' })
 */
export function choice<const W extends readonly [string, ...string[]]>(
  words: W,
  options: Common<W[number]>,
): Field<W[number], W[number]> {
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
 * Several lines of text.
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
 * A moment: ISO 8601 with an offset in the API, ISO 8601 UTC when stored and shown, a Date in hooks.
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
    shown: {
      name: key => key,
      schema: z.iso.datetime().nullable(),
      of: stored => stored ?? null,
    },
  }
}

/**
 * A web address, checked and kept as original URLs are. It may still lead back to us: `validate` asks
 * `context.links.leadsBack`.
 *
 * @example
 * address({ label: 'Address after the end' })
 */
export function address(options: Common<string>): Field<string, string> {
  return {
    ...options,
    control: 'address',
    schema: webAddress,
    stored: options.stored ?? true,
    store: given => given,
    addresses: given => [given],
    open: String,
    shown: {
      name: key => key,
      schema: shownAddress.nullable(),
      of: stored => stored ?? null,
    },
  }
}

/** An address that people gave, as answers show it. */
export const shownAddress = z.string().meta({
  description:
    'Written as in the URL Standard (WHATWG), which leaves some characters unescaped that RFC 3986 escapes.',
})

const webAddress = z
  .string()
  .transform((text, context) => {
    const checked = checkWebAddress(text)
    if ('href' in checked) return checked.href
    context.addIssue({ code: 'custom', message: checked.problem })
    return z.NEVER
  })
  .meta(describedAddress(`An http or https URL of at most ${maxUrlLength} characters.`))

/** What OpenAPI says of an address in a request: letters beyond ASCII are fine, so it is an IRI (RFC 3987). */
export function describedAddress(description: string) {
  return { description, format: 'iri', maxLength: maxUrlLength }
}

/**
 * A hashed text that can be compared with and never be read again.
 *
 * @example
 * await password.matches(answers.password ?? '')
 */
export interface Sealed {
  matches(attempt: string): Promise<boolean>
}

/**
 * A text that is hashed on the way in; the API only says whether there is one, as `has<Name>`.
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
    open: stored => ({ matches: attempt => matchesPassword(attempt, String(stored)) }),
    shown: {
      name: key => `has${key.charAt(0).toUpperCase()}${key.slice(1)}`,
      schema: z.boolean(),
      of: stored => stored !== undefined,
    },
  }
  return opened
}

/**
 * A setting that may be left empty, and is undefined then.
 *
 * @example
 * optional(address({ label: 'Webhook' }))
 */
export function optional<Given, Value>(of: Field<Given, Value>): Field<Given, Value | undefined> {
  return { ...of, isOptional: true }
}

/**
 * A setting that only the environment may hold: it is never stored and never shown.
 *
 * @example
 * secret({ label: 'Signing secret', env: 'WEBHOOK_SECRET' })
 */
export function secret(options: {
  readonly label: string
  readonly env: string
  readonly hint?: string
  /** What it must be like; its message says what to give. */
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
