import type { Harness } from '../harness.ts'

/** The parts of an OpenAPI document that tests read. */
export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Content; readonly headers?: Readonly<Record<string, object>> }
    >
  >
  readonly 'x-required-scope'?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

/** A JSON Schema without references: `readDocument` resolves them. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

/** An operation and its place, such as `POST /api/v1/links`. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The document that the running app serves. */
export async function readDocument(linnet: Harness): Promise<Document> {
  const { body } = await linnet.api('GET', '/openapi.json')
  return withoutPointers(body, body) as Document
}

/** All operations of the document. */
export function operationsOf({ paths }: Document): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** The schema of a JSON body. */
export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema
}

/** A schema that is part of itself, as that of any JSON is, ends where it begins again. */
function withoutPointers(value: unknown, whole: object, inside: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map(it => withoutPointers(it, whole, inside))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) {
    const pointer = String(value.$ref)
    if (inside.includes(pointer)) return {}
    return withoutPointers(target(pointer, whole), whole, [...inside, pointer])
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, withoutPointers(it, whole, inside)]),
  )
}

/** `#/components/schemas/Link` -> the schema of that name. */
function target(pointer: string, whole: object): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], whole)
}
