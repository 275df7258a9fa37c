import type { z } from 'zod'
import { type JsonSchema, jsonSchemaOf } from '../../../lib/schema/json-schema.ts'
import { type Casing, toSnake } from '../../../lib/text/casing.ts'

/** A schema for OpenAPI, with the named schemas that it refers to. */
export interface DescribedSchema {
  readonly schema: JsonSchema
  /** For `components.schemas`: the schemas with an id from `.meta({ id })`. */
  readonly named: Readonly<Record<string, JsonSchema>>
}

/** What a schema describes. */
export type SchemaRole = 'body' | 'query' | 'answer'

/** By schema, part and casing. Most schemas outlive the switch of a plugin, after which all are described again. */
const described = new WeakMap<z.ZodType, Map<string, DescribedSchema>>()

/**
 * Describe a zod schema. Names of input are in `casing`; a body also accepts the other case, so that what an
 * answer shows can be sent back. Named schemas of input are called `…Input`, since they may differ from those
 * of output.
 */
export function describeSchema(
  schema: z.ZodType,
  part: SchemaRole,
  casing: Casing,
): DescribedSchema {
  const known = described.get(schema) ?? new Map<string, DescribedSchema>()
  described.set(schema, known)
  const key = `${part} ${casing}`
  const description = known.get(key) ?? describe(schema, part, casing)
  known.set(key, description)
  return description
}

function describe(schema: z.ZodType, part: SchemaRole, casing: Casing): DescribedSchema {
  const side = part === 'answer' ? 'output' : 'input'
  const nameOf = (id: string) => (side === 'input' ? `${id}Input` : id)
  const rename = side === 'input' && casing === 'snake' ? toSnake : asItIs

  const rewrite = (it: JsonSchema): JsonSchema =>
    part === 'body' ? eitherCase(rewriteInside(it)) : withNames(rewriteInside(it), rename)

  const plain = { body: sayingDefault, query: (it: JsonSchema) => it, answer: plainMoment }[part]

  const rewriteInside = (it: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(list(plain(it))).map(([key, value]) => [key, rewritten(key, value)]),
    )

  const rewritten = (key: string, value: unknown): unknown => {
    if (key === '$ref') return `#/components/schemas/${nameOf(idOf(value))}`
    if (key === 'properties') return mapEntries(value as Named, asItIs, it => rewrite(field(it)))
    if (Array.isArray(value) && listsOfSchemas.has(key)) return value.map(rewrite)
    return isSchema(value) && oneSchema.has(key) ? rewrite(value) : value
  }

  const { $defs = {}, ...whole } = jsonSchemaOf(schema, side)
  // A schema with an id of its own comes as a mere reference to its definition.
  const root = rewriteInside($defs[idOf(whole.$ref)] ?? whole)
  return {
    schema: part === 'body' ? inEitherCase(root, rename) : withNames(root, rename),
    named: mapEntries($defs, nameOf, rewrite),
  }
}

/** Client generators take a field with a default for a required one, so the description tells the default instead. */
function sayingDefault({ default: given, ...schema }: JsonSchema): JsonSchema {
  if (given === undefined) return schema
  const unlessGiven = `Default: \`${JSON.stringify(given)}\`.`
  return { ...schema, description: [schema.description, unlessGiven].filter(Boolean).join(' ') }
}

/**
 * Clients that are typed by the document leave out a field that can only be null, and then can neither read nor send the
 * object that needs it. So it is described as a text that is always null.
 */
function field(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'null') return schema
  const description = [schema.description, 'Always null.'].filter(Boolean).join(' ')
  return { ...schema, type: ['string', 'null'], description }
}

/** The moments of answers need no pattern beside their format: it would be a tenth of the document. */
function plainMoment({ pattern, ...schema }: JsonSchema): JsonSchema {
  return pattern === undefined || schema.format === 'date-time' ? schema : { ...schema, pattern }
}

/** A tuple as a list of its length, since the same clients take it for a list and then cannot send it back. */
function list({ prefixItems, ...schema }: JsonSchema): JsonSchema {
  if (!prefixItems) return schema
  const kinds = new Map(prefixItems.filter(isSchema).map(it => [JSON.stringify(it), it]))
  const [first = {}, ...others] = kinds.values()
  const items = others.length === 0 ? first : { anyOf: [first, ...others] }
  return { ...schema, items, minItems: prefixItems.length, maxItems: prefixItems.length }
}

type Rename = (name: string) => string

const asItIs: Rename = name => name

/** An object in a body: its required fields are all in one case or all in the other. */
function eitherCase(schema: JsonSchema): JsonSchema {
  const { required = [] } = schema
  if (!required.some(hasTwoNames)) return inEitherCase(schema, asItIs)
  return { anyOf: [toSnake, asItIs].map(rename => inEitherCase(schema, rename)) }
}

/** An object whose required fields are named by `rename`, and all others in both cases. */
function inEitherCase(schema: JsonSchema, rename: Rename): JsonSchema {
  const { properties, required = [] } = schema
  if (!properties) return schema
  const both = Object.entries(properties as Named).flatMap(([name, it]) =>
    required.includes(name) || !hasTwoNames(name)
      ? [[name, it] as const]
      : [[toSnake(name), it] as const, [name, { ...it, description: twinOf(name) }] as const],
  )
  return withNames({ ...schema, properties: Object.fromEntries(both) }, name =>
    required.includes(name) ? rename(name) : name,
  )
}

function hasTwoNames(name: string): boolean {
  return toSnake(name) !== name
}

function twinOf(name: string): string {
  return `The same as \`${toSnake(name)}\`. Send only one of the two.`
}

function withNames(schema: JsonSchema, rename: Rename): JsonSchema {
  const { properties, required } = schema
  return {
    ...schema,
    ...(properties && { properties: mapEntries(properties as Named, rename, it => it) }),
    ...(required && { required: required.map(rename) }),
  }
}

type Named = Readonly<Record<string, JsonSchema>>

const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf'])
const oneSchema = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

/** `#/$defs/Link` -> `Link`. */
function idOf(ref: unknown): string {
  return String(ref).slice('#/$defs/'.length)
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapEntries(
  from: Named,
  key: (name: string) => string,
  value: (schema: JsonSchema) => JsonSchema,
): Named {
  return Object.fromEntries(Object.entries(from).map(([name, it]) => [key(name), value(it)]))
}
