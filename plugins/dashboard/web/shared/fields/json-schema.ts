/** The part of JSON Schema that decides on the input. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** The schema of a value apart from null, which an empty input stands for. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 && others[0] ? others[0] : schema
}
