import { toSnake } from '../core/lib/text/casing.ts'

/** What a request of an operation takes in one place: a word of its path, a parameter of its query or a field of its body. */
export interface Field {
  /** As it is sent; `utm.source` is a field of the field `utm`. */
  readonly name: string
  /** As it is typed, without the hyphens before it. */
  readonly option: string
  readonly at: 'path' | 'query' | 'body'
  readonly kind: 'text' | 'number' | 'toggle' | 'list' | 'json'
  readonly about: string
  readonly choices: readonly string[]
  readonly isRequired: boolean
  /** Whether it can be cleared. */
  readonly isNullable: boolean
  readonly isMoment: boolean
  /** The list in which things are that it names by their ids, such as `/links`. */
  readonly list: string | null
}

/** A request that the server takes, as a command. */
export interface Operation {
  readonly words: readonly string[]
  readonly method: string
  /** Below `/api/v1`. */
  readonly path: string
  /** Method and path, as the client takes them. */
  readonly route: `${string} /${string}`
  readonly summary: string
  /** What its group is about. */
  readonly group: string
  readonly fields: readonly Field[]
  /** Whether the body is a file. */
  readonly takesFile: boolean
  /** The types of its answers. */
  readonly answers: readonly string[]
  /** Whether the answer is a page of a list. */
  readonly isList: boolean
  /** The fields of what it answers, or of one row of the list, that have a simple value. */
  readonly columns: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

/** What an OpenAPI document describes, as commands: one for each operation. */
export function operationsOf(document: Json): readonly Operation[] {
  const paths = objectOf(document.paths)
  const reader = readerOf(document, paths)
  const abouts = new Map(
    listOf(document.tags).map(tag => [`${tag.name}`, `${tag.description ?? ''}`]),
  )
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(objectOf(operations))
      .filter(([, it]) => typeof objectOf(it).operationId === 'string')
      .map(([method, it]) => operationOf(path, method, objectOf(it), { reader, abouts })),
  )
}

/** Verbs as people type them. */
const verbs: Readonly<Record<string, string>> = { update: 'edit', destroy: 'delete' }

function operationOf(
  path: string,
  method: string,
  operation: Json,
  { reader, abouts }: { readonly reader: Reader; readonly abouts: ReadonlyMap<string, string> },
): Operation {
  const words = `${operation.operationId}`.split('.').map(hyphenated)
  const [firstTag] = Array.isArray(operation.tags) ? operation.tags : []
  return {
    words: words.map((word, index) => (index === words.length - 1 && verbs[word]) || word),
    method: method.toUpperCase(),
    path: path.replace(/^\/api\/v1/, ''),
    route: `${method.toUpperCase()} /${path.replace(/^\/api\/v1\//, '')}`,
    summary: `${operation.summary ?? ''}`.replaceAll('`', ''),
    group: abouts.get(`${firstTag}`) ?? '',
    ...reader.detailsOf(path, operation),
  }
}

type Reader = ReturnType<typeof readerOf>

/** Reads the parts of a document, each where it is referred to. */
function readerOf(document: Json, paths: Json) {
  const lists = new Set(
    Object.entries(paths)
      .filter(([path, it]) => 'get' in objectOf(it) && !path.includes('{'))
      .map(([path]) => path.replace(/^\/api\/v1/, '')),
  )

  /** The object itself, or what it refers to. */
  function at(part: unknown): Json {
    const { $ref } = objectOf(part)
    if (typeof $ref !== 'string') return objectOf(part)
    return at(
      $ref
        .split('/')
        .slice(1)
        .reduce<unknown>((here, name) => objectOf(here)[name], document),
    )
  }

  /** A schema without the null that it may have, and whether it has one. */
  function bare(schema: unknown): { readonly schema: Json; readonly isNullable: boolean } {
    const whole = at(schema)
    const { anyOf, type, description } = whole
    if (Array.isArray(type)) {
      const [only] = type.filter(it => it !== 'null')
      return { schema: { ...whole, type: only }, isNullable: type.includes('null') }
    }
    if (!Array.isArray(anyOf)) return { schema: whole, isNullable: false }
    const others = anyOf.map(at).filter(it => it.type !== 'null')
    // Of several kinds of text, such as moments and days, all are text.
    const [first = {}] = others.length > 1 ? [{ ...others[0], format: undefined }] : others
    return {
      schema: { ...first, ...(description !== undefined && { description }) },
      isNullable: others.length < anyOf.length,
    }
  }

  function kindOf({ type, enum: choices, properties, items }: Json): Field['kind'] {
    if (type === 'boolean') return 'toggle'
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'array') {
      const ways = [at(items), ...listOf(at(items).anyOf).map(at)]
      return ways.some(it => it.properties !== undefined) ? 'json' : 'list'
    }
    if (type === 'object' || properties !== undefined) return 'json'
    return type === 'string' || type === undefined || choices !== undefined ? 'text' : 'json'
  }

  function fieldOf(name: string, schema: unknown, where: Where): Field {
    const { schema: own, isNullable } = bare(schema)
    const named = where.at === 'path' ? undefined : listNamedBy(name)
    const list = where.list ?? named ?? null
    // That nothing is the default goes without saying.
    const about = `${where.about ?? own.description ?? ''}`
      .replace(/ ?Default: `null`\./, '')
      .replaceAll('`', '')
    return {
      name,
      // `tag_ids` -> `tags`, `campaign_id` -> `campaign`: what they name has names, too.
      option: hyphenated(named ? name.replace(/_?id(s?)$/i, '$1') : name),
      at: where.at,
      kind: kindOf(own),
      about: named ? `${about} Names will do.`.trim() : about,
      choices: (Array.isArray(own.enum) ? own.enum : []).map(String),
      isRequired: where.isRequired,
      isNullable,
      isMoment: own.format === 'date-time',
      list,
    }
  }

  /** `tag_ids` and `campaign_id` name what is in the lists `/tags` and `/campaigns`. */
  function listNamedBy(name: string): string | undefined {
    const [, stem] = /^([a-z_]+)_ids?$/.exec(toSnake(name)) ?? []
    const list = `/${stem?.replaceAll('_', '-')}s`
    return stem !== undefined && lists.has(list) ? list : undefined
  }

  /** The fields of a body; one that is written in two ways only once. */
  function fieldsOfBody(schema: unknown): readonly Field[] {
    const whole = at(schema)
    const [first] = listOf(whole.anyOf)
    const { properties, required } = first ? at(first) : whole
    const names = objectOf(properties)
    const needed = Array.isArray(required) ? required : []
    return Object.entries(names)
      .filter(([name]) => toSnake(name) === name || !(toSnake(name) in names))
      .flatMap(([name, it]) => {
        const where = { at: 'body', isRequired: needed.includes(name) } as const
        const { properties: parts } = bare(it).schema
        const inside = Object.entries(objectOf(parts))
        const isFlat =
          inside.length > 0 && inside.every(([, part]) => kindOf(bare(part).schema) !== 'json')
        if (!isFlat || where.isRequired) return [fieldOf(name, it, where)]
        return inside
          .filter(([part]) => toSnake(part) === part || !(toSnake(part) in objectOf(parts)))
          .map(([part, its]) => fieldOf(`${name}.${part}`, its, where))
      })
  }

  function fieldsOf(path: string, { parameters }: Json, body: unknown): readonly Field[] {
    const ofAddress = listOf(parameters)
      .map(at)
      .filter(it => it.in === 'path' || it.in === 'query')
      .filter(({ name }) => !pageParameters.includes(`${name}`))
      .map(it => {
        const [before = ''] = path.split(`/{${it.name}}`)
        const list = before.replace(/^\/api\/v1/, '')
        const isId = /^id$|Id$/.test(`${it.name}`) && lists.has(list)
        return fieldOf(`${it.name}`, it.schema, {
          at: it.in === 'path' ? 'path' : 'query',
          about: it.description,
          isRequired: it.required === true,
          list: isId ? list : undefined,
        })
      })
    return [...ofAddress, ...fieldsOfBody(body)]
  }

  function columnsOf(schema: unknown): readonly string[] {
    return Object.entries(objectOf(at(schema).properties))
      .filter(([, it]) => !['json', 'list'].includes(kindOf(bare(it).schema)))
      .map(([name]) => name)
  }

  return {
    detailsOf(path: string, operation: Json) {
      const body = objectOf(at(operation.requestBody).content)
      const [answer = {}] = Object.entries(objectOf(operation.responses))
        .filter(([status]) => status.startsWith('2'))
        .map(([, it]) => objectOf(at(it).content))
      const answered = objectOf(at(objectOf(answer['application/json']).schema).properties)
      const data = at(answered.data)
      return {
        fields: fieldsOf(path, operation, objectOf(body['application/json']).schema),
        takesFile: 'application/octet-stream' in body,
        answers: Object.keys(answer),
        isList: data.type === 'array' && 'nextCursor' in objectOf(at(answered.meta).properties),
        columns: columnsOf(data.type === 'array' ? data.items : data),
      }
    },
  }
}

interface Where {
  readonly at: Field['at']
  readonly isRequired: boolean
  readonly about?: unknown
  readonly list?: string | undefined
}

/** By which a list is read on; the program does that by itself. */
const pageParameters: readonly string[] = ['page', 'per_page', 'cursor']

/** `apiTokens` -> `api-tokens`, `utm.source` as it is. */
function hyphenated(name: string): string {
  return toSnake(name).replaceAll('_', '-')
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}
