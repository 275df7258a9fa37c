import { z } from 'zod'
import type { Dimension } from '../../../plugin/dimension.ts'
import type { BodyKind, MountMethod } from '../../../plugin/mount.ts'
import type { PlaceFact } from '../../../plugin/visit.ts'

/**
 * What a part has to be: a kind, an object with these members, an object with any names of such parts, a list of such parts,
 * or one of these words, which may be left out.
 */
export type Shape =
  | Kind
  | { readonly of: Members }
  | { readonly each: Shape }
  | { readonly list: Shape }
  | { readonly oneOf: readonly string[] }
type Kind = keyof typeof kinds
export type Members = Readonly<Record<string, Shape>>
/** The shape of each member of a type. */
export type ShapesOf<T> = Readonly<Record<keyof T, Shape>>

const charts = ['bar', 'map', 'line', 'table', 'number'] satisfies readonly Dimension['chart'][]
const facts: readonly string[] = ['place', 'city'] satisfies readonly PlaceFact[]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly MountMethod[]
const bodies = ['form', 'json', 'multipart', 'bytes'] satisfies readonly BodyKind[]
const maxMountBytes = 32 * 1024 * 1024

/** How a kind of things is called. */
const kindPattern = /^[a-z][a-zA-Z]*$/

const some = (words: readonly string[]) => (it: unknown) =>
  it === undefined || (Array.isArray(it) && it.length > 0 && it.every(word => words.includes(word)))

const rate = z.strictObject({ max: z.int().min(1), seconds: z.number().positive() })

/** Each kind with how to tell it, and what to write. One with `?` may be left out. */
export const kinds = {
  // Other checks tell more of it.
  'anything?': [() => true, ''],
  function: [isFunction, 'Write a function'],
  'function?': [it => it === undefined || isFunction(it), 'Write a function'],
  text: [it => typeof it === 'string', 'Write a text'],
  'text?': [it => it === undefined || typeof it === 'string', 'Write a text'],
  schemas: [it => isObject(it) && Object.values(it).every(isSchema), 'Write { name: z.string() }'],
  'schema?': [it => it === undefined || isSchema(it), 'Make it with the z of linnet/plugin'],
  'chart?': [
    it => it === undefined || charts.some(chart => chart === it),
    `Write one of ${charts.join(', ')}`,
  ],
  'reads?': [
    it => it === undefined || (Array.isArray(it) && it.every(fact => facts.includes(fact))),
    `Write reads: ['${facts.join("'] or ['")}']`,
  ],
  'status?': [
    it => it === undefined || z.int().min(200).max(299).safeParse(it).success,
    'Write a number from 200 to 299',
  ],
  'media?': [
    it => it === undefined || z.array(z.string()).safeParse(it).success,
    "Write a list, such as ['image/png']",
  ],
  'tells?': [
    it => it === undefined || z.array(z.string().regex(kindPattern)).safeParse(it).success,
    "Write a list, such as ['note']",
  ],
  kinds: [
    it => z.array(z.string().regex(kindPattern)).min(1).safeParse(it).success,
    "Write a list of kinds of things, such as ['link']",
  ],
  'rateLimit?': [
    it => it === undefined || it === 'currentPassword' || rate.safeParse(it).success,
    "Write { max: 10, seconds: 60 } or 'currentPassword'",
  ],
  'seconds?': [
    it => it === undefined || z.number().positive().safeParse(it).success,
    'Write a number of seconds',
  ],
  'methods?': [some(methods), `Write a list of ${methods.join(', ')}`],
  'bodies?': [some(bodies), `Write a list of ${bodies.join(', ')}`],
  'maxBytes?': [
    it => it === undefined || z.int().min(1).max(maxMountBytes).safeParse(it).success,
    `Write a number of bytes up to ${maxMountBytes}`,
  ],
  method: [
    it => typeof it === 'string' && /^[a-z0-9-]{1,20}$/.test(it),
    "Write a word of RFC 8176, such as 'otp'",
  ],
  'hears?': [it => it === undefined || it === 'chosen', "Write hears: 'chosen', or leave it out"],
  'hosts?': [it => it === undefined || it === 'all', "Write hosts: 'all', or leave it out"],
  value: [
    it => it === null || ['string', 'number', 'boolean'].includes(typeof it),
    'Write a text, a number, true, false or null',
  ],
  field: [
    isField,
    'Make it with text({ label: … }), number({ label: … }) or another function of linnet/plugin',
  ],
} satisfies Readonly<Record<string, readonly [(it: unknown) => boolean, string]>>

function isField(it: unknown): boolean {
  if (!isObject(it)) return false
  const { label, control, schema, store, open } = it as Readonly<Record<string, unknown>>
  const isNamed = typeof label === 'string' && typeof control === 'string'
  return isNamed && isSchema(schema) && isFunction(store) && isFunction(open)
}

function isSchema(it: unknown): boolean {
  return isObject(it) && '_zod' in it
}

function isFunction(it: unknown): boolean {
  return typeof it === 'function'
}

export function isObject(it: unknown): it is object {
  return typeof it === 'object' && it !== null && !Array.isArray(it)
}
