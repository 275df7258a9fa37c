import openapi, { astToString } from 'openapi-typescript'
import type { Gives } from '../read-answer.ts'

/** The parts of an OpenAPI document from which the client is made. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Schemas
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

type Schemas = Readonly<Record<string, Schema>>

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** An operation as the client has it. */
interface Described {
  /** As OpenAPI names it, such as `links.show`. */
  readonly id: string
  /** Its name in the client, such as `links.get`. */
  readonly name: string
  /** Such as `GET /links/{id}`. */
  readonly route: string
  /** The names in its path. */
  readonly places: readonly string[]
  readonly query: readonly Parameter[]
  /** What it takes after the values of its path. */
  readonly takes: 'query' | 'json' | 'bytes' | undefined
  /** Whether it cannot do without that. */
  readonly isNeeded: boolean
  readonly status: string
  readonly gives: Gives
  readonly answer: Schema
  readonly operation: Operation
}

/** The table that the client has at run time, `client/operations.ts`. */
export function operationsFile(document: Document): string {
  const rows = describe(document).map(({ name, route, takes = '-', gives }) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `  ${key}: '${route} ${takes} ${gives}',\n`
  })
  return `/**
 * The operations of the API by their names in the client, what each takes after the values of its path, and what it
 * answers with. Written from the OpenAPI document: \`npx vitest run --project api test/api/client-operations.test.ts --update\`.
 */
export const operations: Readonly<Record<string, string>> = {
${rows.join('')}}
`
}

/** The types of the client, `client/api.d.ts`. */
export async function typesFile(document: Document): Promise<string> {
  const described = describe(document)
  const names = Object.keys(document.components.schemas).filter(name => !name.endsWith('Input'))
  const schemas = astToString(await openapi(JSON.stringify(slim(document, described))))
  return `// Written by test/write-api-types.ts.
import type { List } from './list.ts'
import type { CallOptions } from './send.ts'

${schemas}
${names.map(name => `export type ${name} = components['schemas']['${name}']\n`).join('')}
/** The body of an operation by its name in OpenAPI: \`BodyOf<'links.create'>\`. */
export type BodyOf<Name extends keyof operations> =
  NonNullable<operations[Name]['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : never

/** The query of an operation. */
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

type AnswerOf<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  operations[Name]['responses'][Status] extends { content: { 'application/json': infer Answer } } ? Answer : never

/** What a method resolves to. */
type DataOf<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  AnswerOf<Name, Status> extends { data: infer Data } ? Data : AnswerOf<Name, Status>

type ItemOf<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  DataOf<Name, Status> extends readonly (infer Item)[] ? Item : never

/** The bytes of a file. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView | ReadableStream

/** Something of the API: its id, or what was read of it; then just that version is meant. */
export type Target<Key extends string = 'id'> = string | { readonly [key in Key]: string }

/** Each operation of the API under its name. */
export interface Methods ${membersOf(treeOf(described), '')}

/** Each request with what it takes, and the whole body of its answer. */
export interface Requests {
${described.map(requestOf).join('')}}
`
}

/** Sorted by name, so that an operation comes before those below it. */
function describe({ paths, components }: Document): readonly Described[] {
  const parameterOf = (it: Parameter | Reference) =>
    '$ref' in it ? (components.parameters[nameIn(it.$ref)] as Parameter) : it
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        describeOne(method.toUpperCase(), path, operation, {
          parameters: operation.parameters.map(parameterOf),
          schemas: components.schemas,
        }),
      ),
    )
    .filter(({ status }) => !leadsOn(status))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function describeOne(
  method: string,
  path: string,
  operation: Operation,
  { parameters, schemas }: { parameters: readonly Parameter[]; schemas: Schemas },
): Described {
  const { operationId: id, requestBody, responses } = operation
  const [[status, { content = {} }] = ['', {}]] = Object.entries(responses)
  const { 'application/json': { schema: answer = {} } = {} } = content
  const query = parameters.filter(it => it.in === 'query' && it.name !== 'dry_run')
  const sends = requestBody && ('application/json' in requestBody.content ? 'json' : 'bytes')
  return {
    id,
    name: id.replace(/show(?=$|[A-Z.])/, 'get').replace(/([dD])estroy/, '$1elete'),
    route: `${method} ${path.replace(/^\/api\/v1/, '')}`,
    places: parameters.filter(it => it.in === 'path').map(it => it.name),
    query,
    takes: sends ?? (query.length > 0 ? 'query' : undefined),
    isNeeded: requestBody?.required === true || query.some(it => it.required),
    status,
    gives: givenBy(content, answer, schemas),
    answer,
    operation,
  }
}

function givenBy(content: Content, { properties = {} }: Schema, schemas: Schemas): Gives {
  if (!('application/json' in content)) return Object.keys(content).length > 0 ? 'file' : 'nothing'
  if (properties.meta?.$ref?.endsWith('/PageMeta')) return 'page'
  const { $ref = '' } = properties.data ?? {}
  const { type } = schemas[nameIn($ref)] ?? properties.data ?? {}
  return type === 'object' ? 'object' : type === 'array' ? 'list' : 'json'
}

/** These only lead a browser on. */
function leadsOn(status: string): boolean {
  return status.startsWith('3')
}

/** The document without what the types of the client do not say: headers, refusals, examples of bodies. */
function slim(document: Document, described: readonly Described[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { route, query, operation, status, gives, answer, takes } of described) {
    const [method = '', path = ''] = route.split(' ')
    const inPath = operation.parameters.filter(it => 'in' in it && it.in === 'path')
    const sent = operation.requestBody?.content['application/json']?.schema
    const content = !['file', 'nothing'].includes(gives) && {
      content: { 'application/json': { schema: answer } },
    }
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: operation.operationId,
        parameters: [...inPath, ...query],
        ...(takes === 'json' && {
          requestBody: {
            required: operation.requestBody?.required,
            content: { 'application/json': { schema: sent } },
          },
        }),
        responses: { [status]: { description: '', ...content } },
      },
    }
  }
  return { ...document, paths, components: { schemas: document.components.schemas } }
}

interface Tree {
  operation?: Described
  readonly below: Record<string, Tree>
}

function treeOf(described: readonly Described[]): Tree {
  const root: Tree = { below: {} }
  for (const operation of described) {
    let at = root
    for (const step of operation.name.split('.')) at = at.below[step] ??= { below: {} }
    at.operation = operation
  }
  return root
}

function membersOf({ below }: Tree, indent: string): string {
  const inner = `${indent}  `
  const members = Object.entries(below).map(([name, tree]) => memberOf(name, tree, inner))
  return `{\n${members.join('')}${indent}}`
}

function memberOf(name: string, { operation, below }: Tree, indent: string): string {
  const hasMore = Object.keys(below).length > 0
  if (!operation) return `${indent}readonly ${name}: ${membersOf({ below }, indent)}\n`
  const { summary, description } = operation.operation
  const about = `${indent}/** ${summary.replace(/\.?$/, '.')} ${description} */\n`
  if (!hasMore) return `${about}${indent}${name}${signatureOf(operation)}\n`
  return `${about}${indent}readonly ${name}: { ${signatureOf(operation)} } & ${membersOf({ below }, indent)}\n`
}

/** `(link: Target, body: BodyOf<'links.update'>, options?: CallOptions): Promise<Link>` */
function signatureOf(described: Described): string {
  const { id, places, takes, isNeeded } = described
  const types = {
    query: `QueryOf<'${id}'>`,
    json: `BodyOf<'${id}'>`,
    bytes: 'Bytes',
  }
  const input = takes === 'json' ? 'body' : takes
  const parameters = [
    ...places.map(name => `${name}: ${targetType(name)}`),
    ...(takes ? [`${input}${isNeeded ? '' : '?'}: ${types[takes]}`] : []),
    'options?: CallOptions',
  ]
  return `(${parameters.join(', ')}): ${resultOf(described)}`
}

/** Things are named by their `id`, but for a few. */
function targetType(place: string): string {
  return ['slug', 'name', 'feature', 'lang'].includes(place) ? `Target<'${place}'>` : 'Target'
}

function resultOf({ id, status, gives, answer }: Described): string {
  if (gives === 'nothing') return 'Promise<void>'
  if (gives === 'file') return 'Promise<Response>'
  const { data } = answer.properties ?? {}
  const item = data?.items?.$ref
  if (gives === 'page') return `List<${item ? nameIn(item) : `ItemOf<'${id}', ${status}>`}>`
  return `Promise<${data?.$ref ? nameIn(data.$ref) : `DataOf<'${id}', ${status}>`}>`
}

function requestOf({
  id,
  route,
  places,
  query,
  takes,
  isNeeded,
  status,
  gives,
}: Described): string {
  const others: Partial<Record<Gives, string>> = { nothing: 'undefined', file: 'Response' }
  const answer = others[gives] ?? `AnswerOf<'${id}', ${status}>`
  const mark = isNeeded ? '' : '?'
  const input = [
    ...(places.length > 0 ? [`path: { ${places.map(name => `${name}: string`).join('; ')} }`] : []),
    ...(query.length > 0 ? [`query${mark}: QueryOf<'${id}'>`] : []),
    ...(takes === 'json' ? [`body${mark}: BodyOf<'${id}'>`] : []),
    ...(takes === 'bytes' ? ['body: Bytes'] : []),
  ]
  return `  '${route}': { input: { ${input.join('; ')} }; answer: ${answer} }\n`
}

function nameIn(ref: string): string {
  return ref.replace(/^.*\//, '')
}
