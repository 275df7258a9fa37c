import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'

/** The parts of the API's OpenAPI 3.1 description that the dashboard shows. */
export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
  }
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly object[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface ParameterObject {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface ResponseObject {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
}

/** The API of this instance, with the plugins that are on. */
export const descriptionQuery = queryOptions({
  queryKey: ['description'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/openapi.json'))) as object as Description,
})
