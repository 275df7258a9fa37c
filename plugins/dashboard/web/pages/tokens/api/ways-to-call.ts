import { operations as ofClient } from '../../../../../../client/operations.ts'
import { addressOf, type Filled, filledIn, hasBody, headersOf, keyOf } from './filled.ts'
import type { Operation } from './operations.ts'

/** The ways in which the page shows how to send a request from elsewhere. */
export const ways = ['curl', 'JavaScript', 'linnet'] as const

export type Way = (typeof ways)[number]

/** The filled-in request in one of these ways, with the token and the address of the instance. */
export function codeOf(way: Way, operation: Operation, filled: Filled, origin: string): string {
  const write = { curl: commandOf, JavaScript: scriptOf, linnet: wordsOf }[way]
  return write(operation, withPlaceholders(operation, filled), origin)
}

/** With a placeholder, such as `<id>`, for each parameter that the request needs and that is not filled in. */
function withPlaceholders({ parameters }: Operation, filled: Filled): Filled {
  const missing = parameters.filter(it => it.required && filledIn(it, filled) === '')
  const placeholders = Object.fromEntries(missing.map(it => [keyOf(it), `<${it.name}>`]))
  return { ...filled, parameters: { ...filled.parameters, ...placeholders } }
}

/** For a terminal. */
function commandOf(operation: Operation, filled: Filled, origin: string): string {
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`
  // Encoded, placeholders could not be told from values.
  const address = addressOf(operation, filled, origin).replaceAll(/%3C(\w+)%3E/g, '<$1>')
  return [
    `curl${method} ${quoted(address)}`,
    ...headersOf(operation, filled).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody(operation, filled) ? [`-d ${quoted(filled.body)}`] : []),
  ].join(' \\\n  ')
}

/** By `linnet/client`: docs/client.md. */
function scriptOf(operation: Operation, filled: Filled, origin: string): string {
  const options = [
    `url: ${text(origin)}`,
    ...(filled.token ? [`token: ${text(filled.token)}`] : []),
  ]
  return `import { Linnet } from 'linnet/client'

const linnet = new Linnet({ ${options.join(', ')} })
await linnet.${methodOf(operation, filled) ?? requestOf(operation, filled)}`
}

/** The call of the method that the client has for an operation; it has none for what plugins add and what leads a browser on. */
function methodOf(operation: Operation, filled: Filled): string | undefined {
  const route = routeOf(operation)
  const [name] = Object.entries(ofClient).find(([, it]) => it.startsWith(`${route} `)) ?? []
  if (name === undefined) return undefined
  const { query, others } = questionOf(operation, filled)
  const sent = filled.body.trim() || (query.length > 0 ? objectOf(query) : '')
  const takes = operation.body !== undefined || operation.parameters.some(isQuery)
  const told = [
    ...placesOf(operation, filled).map(text),
    ...(operation.takesFile ? ['file'] : []),
    ...(takes && (sent || others.length > 0) ? [sent || '{}'] : []),
    ...(others.length > 0 ? [objectOf(others)] : []),
  ]
  return `${name}(${told.join(', ')})`
}

/** The call of `request`, which sends anything. */
function requestOf(operation: Operation, filled: Filled): string {
  const { query, others } = questionOf(operation, filled)
  const places = operation.parameters
    .filter(isPlace)
    .map(it => `${it.name}: ${text(filledIn(it, filled))}`)
  const body = operation.takesFile ? 'file' : filled.body.trim()
  const input = [
    ...(places.length > 0 ? [`path: { ${places.join(', ')} }`] : []),
    ...(query.length > 0 ? [`query: ${objectOf(query)}`] : []),
    ...(body ? [`body: ${body}`] : []),
    ...propertiesOf(others),
  ]
  const told = [text(routeOf(operation)), ...(input.length > 0 ? [`{ ${input.join(', ')} }`] : [])]
  return `request(${told.join(', ')})`
}

/** Such as `GET /links/{id}`. */
function routeOf({ method, path }: Operation): string {
  return `${method} ${path.replace('/api/v1', '')}`
}

/** By the command line: docs/command-line.md. */
function wordsOf(operation: Operation, filled: Filled, origin: string): string {
  const { query, others } = questionOf(operation, filled)
  const needed = operation.parameters.filter(it => isQuery(it) && it.required)
  const isWord = (name: string) => needed.some(it => it.name === name)
  const flags = [
    ...query.filter(([name]) => !isWord(name)),
    ...others.filter(([name]) => name !== 'ifMatch'),
  ]
  return [
    `LINNET_URL=${origin} LINNET_TOKEN=${filled.token || 'lnt_…'}`,
    `linnet remote ${commandWords(operation.id).join(' ')}`,
    ...[...placesOf(operation, filled), ...needed.map(it => filledIn(it, filled))].map(quoted),
    ...flags.map(([name, value]) =>
      value === 'true' ? `--${hyphenated(name)}` : `--${hyphenated(name)} ${quoted(value)}`,
    ),
    ...(filled.body.trim() ? [`--body ${quoted(filled.body)}`] : []),
  ].join(' ')
}

/** The words of a command that calls an operation. */
export function commandWords(id: string): readonly string[] {
  const verbs: Readonly<Record<string, string>> = { update: 'edit', destroy: 'delete' }
  const words = id.split('.').map(hyphenated)
  return words.with(-1, verbs[words.at(-1) ?? ''] ?? words.at(-1) ?? '')
}

type Parameter = Operation['parameters'][number]
type Named = readonly (readonly [name: string, value: string])[]

/** Options of a call by the names of their parameters. */
const options: Readonly<Record<string, string>> = {
  dry_run: 'dryRun',
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'If-None-Match': 'ifNoneMatch',
}

/** What is filled in: the query, and options of the call. */
function questionOf(operation: Operation, filled: Filled): { query: Named; others: Named } {
  const given = operation.parameters.filter(it => it.in !== 'path' && filledIn(it, filled) !== '')
  const named = (it: Parameter, name = it.name) => [name, filledIn(it, filled)] as const
  return {
    query: given.filter(isQuery).map(it => named(it)),
    others: given.filter(it => !isQuery(it)).map(it => named(it, options[it.name])),
  }
}

function isQuery(it: Parameter): boolean {
  return it.in === 'query' && !(it.name in options)
}

function isPlace(it: Parameter): boolean {
  return it.in === 'path'
}

function placesOf({ parameters }: Operation, filled: Filled): readonly string[] {
  return parameters.filter(isPlace).map(it => filledIn(it, filled))
}

/** An object of texts, numbers and truths as a program writes it. */
function objectOf(values: Named): string {
  return `{ ${propertiesOf(values).join(', ')} }`
}

function propertiesOf(values: Named): readonly string[] {
  const isPlain = (value: string) => /^(true|false|\d{1,15})$/.test(value)
  return values.map(([name, value]) => `${name}: ${isPlain(value) ? value : text(value)}`)
}

function text(value: string): string {
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`
}

function hyphenated(name: string): string {
  return name
    .replaceAll('_', '-')
    .replace(/(?<=[a-z\d])[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
