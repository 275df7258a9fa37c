import { addressOf, type Filled, filledIn, hasBody, headersOf } from './filled.ts'
import type { Operation } from './operations.ts'
/** The ways in which the page shows how to send a request from elsewhere. */
export const ways = ['curl', 'JavaScript', 'linnet'] as const

export type Way = (typeof ways)[number]

/** The filled-in request in one of these ways, with the token and the address of the instance. */
export function codeOf(way: Way, operation: Operation, filled: Filled, origin: string): string {
  const write = { curl: commandOf, JavaScript: scriptOf, linnet: wordsOf }[way]
  return write(operation, filled, origin)
}

/** For a terminal. */
function commandOf(operation: Operation, filled: Filled, origin: string): string {
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`
  return [
    `curl${method} ${quoted(addressOf(operation, filled, origin))}`,
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
  const { query, others } = questionOf(operation, filled)
  const sent = filled.body.trim() || (query.length > 0 ? objectOf(query) : '')
  const takes = operation.body !== undefined || operation.parameters.some(isQuery)
  const told = [
    ...placesOf(operation, filled).map(text),
    ...(operation.takesFile ? ['file'] : []),
    ...(takes && (sent || others.length > 0) ? [sent || '{}'] : []),
    ...(others.length > 0 ? [objectOf(others)] : []),
  ]
  return `import { Linnet } from 'linnet/client'

const linnet = new Linnet({ ${options.join(', ')} })
await linnet.${methodOf(operation.id)}(${told.join(', ')})`
}

/** The name of an operation in the client. */
export function methodOf(id: string): string {
  return id.replace(/show(?=$|[A-Z.])/, 'get').replace(/([dD])estroy/, '$1elete')
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

function placesOf({ parameters }: Operation, filled: Filled): readonly string[] {
  return parameters.filter(it => it.in === 'path').map(it => filledIn(it, filled) || `<${it.name}>`)
}

/** An object of texts, numbers and truths as a program writes it. */
function objectOf(values: Named): string {
  const isPlain = (value: string) => /^(true|false|\d{1,15})$/.test(value)
  const written = values.map(([name, value]) => `${name}: ${isPlain(value) ? value : text(value)}`)
  return `{ ${written.join(', ')} }`
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
