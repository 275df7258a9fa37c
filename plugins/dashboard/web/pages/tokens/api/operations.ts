import type {
  Description,
  JsonSchema,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../../../api/instance/description.ts'

/** One operation of the API, with all its details. */
export interface Operation {
  /** Such as `links.create`. */
  readonly id: string
  /** Such as `POST`. */
  readonly method: string
  /** Such as `/api/v1/links/{id}`. */
  readonly path: string
  readonly group: string
  readonly summary: string
  /** The scope that it needs. */
  readonly about: string
  readonly parameters: readonly ParameterObject[]
  readonly body: JsonSchema | undefined
  /** Whether it takes a file in place of a body of fields. */
  readonly takesFile: boolean
  readonly answers: readonly Answer[]
}

export interface Answer {
  readonly status: string
  readonly about: string
  readonly schema: JsonSchema | undefined
}

/** Operations of the same kind. */
export interface Group {
  readonly name: string
  readonly about: string
  readonly operations: readonly Operation[]
}

/** The operations that contain every word of a search, in the groups of the description. */
export function groupsOf(description: Description, search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(description, path, method.toUpperCase(), operation),
    ),
  )
  const found = operations.filter(({ id, method, path, group, summary }) => {
    const text = [id, method, path, group, summary].join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  })
  return description.tags
    .map(({ name, description: about }) => ({
      name,
      about,
      operations: found.filter(({ group }) => group === name),
    }))
    .filter(group => group.operations.length > 0)
}

function operationOf(
  description: Description,
  path: string,
  method: string,
  operation: OperationObject,
): Operation {
  const { operationId, tags, summary, parameters, requestBody, responses } = operation
  return {
    id: operationId,
    method,
    path,
    group: tags[0] ?? '',
    summary,
    about: operation.description,
    parameters: parameters.map(it => description.components.parameters[nameOf(it.$ref)] ?? it),
    body: requestBody?.content['application/json']?.schema,
    takesFile: requestBody !== undefined && !('application/json' in requestBody.content),
    answers: Object.entries(responses).map(([status, answer]) =>
      answerOf(status, resolveAnswer(description, answer)),
    ),
  }
}

function answerOf(status: string, { description: about = '', content = {} }: ResponseObject) {
  return { status, about, schema: content['application/json']?.schema }
}

function resolveAnswer({ components }: Description, answer: ResponseObject): ResponseObject {
  return components.responses[nameOf(answer.$ref)] ?? answer
}

/** The schema that a reference points to. */
export function resolve({ components }: Description, schema: JsonSchema): JsonSchema {
  return components.schemas[nameOf(schema.$ref)] ?? schema
}

/** `#/components/schemas/Link` -> `Link` */
function nameOf(ref = ''): string {
  return ref.replace(/^.*\//, '')
}
