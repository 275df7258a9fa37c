import { randomUUID } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Argument, Command, Option } from 'commander'
import { ConnectionError, type Linnet } from '../client/linnet.ts'
import { toCamel } from '../core/lib/text/casing.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Details, Field, Operation } from './description.ts'
import { exits, Interrupted } from './failures.ts'
import { idOf } from './find-ids.ts'
import { fileToSend, type Io, isWanted, print, printJson, tell, widthOf } from './io.ts'
import { createMany } from './many.ts'
import { cardOf, tableOf } from './show.ts'

/** How many rows of a list are shown unless somebody asks for more. */
const usualRows = 100

/** What tells more about a thing than the order of its fields. */
const usualColumns: Readonly<Record<string, readonly string[]>> = {
  '/links': ['shortUrl', 'originalUrl', 'title', 'visits.total', 'createdAt'],
}

/** What is typed besides the fields. */
interface Flags {
  readonly json?: boolean
  readonly columns?: string
  readonly limit?: string
  readonly all?: boolean
  readonly output?: string
  readonly yes?: boolean
  readonly body?: string
  readonly idempotencyKey?: string
}

/** A request as it was typed. */
interface Typed {
  readonly flags: Flags
  readonly values: ReadonlyMap<Field, unknown>
  /** The file to send. */
  readonly file: string | undefined
}

export interface Calling {
  readonly linnet: Linnet
  readonly io: Io
}

/** The command of an operation, which help and completion read, too. */
export function commandOf(operation: Operation, isPiped: boolean): Command {
  const details = operation.details()
  const { fields, takesFile, isList, answers } = details
  const command = new Command(`linnet ${operation.words.join(' ')}`)
    .description(`${operation.summary}.`)
    .usage(`${usageOf(operation)} [options]`.trim())
    .exitOverride()
    .showHelpAfterError('Run it with --help to see its options.')
  const many = isPiped ? fieldOfLines(operation, details) : undefined
  for (const field of fields.filter(isWord)) {
    const isList = field.kind === 'list' && field === fields.filter(isWord).at(-1)
    const name = isList ? `${field.option}...` : field.option
    const argument = new Argument(field === many ? `[${name}]` : `<${name}>`, field.about)
    command.addArgument(field.choices.length > 0 ? argument.choices(field.choices) : argument)
  }
  if (takesFile) command.addArgument(new Argument('<file>', 'The file to send.'))
  for (const field of fields.filter(it => !isWord(it))) addOption(command, field)
  const own = new Set(fields.map(({ option }) => option))
  const add = (flags: string, about: string) => {
    if (!own.has(/--([\w-]+)/.exec(flags)?.[1] ?? '')) command.option(flags, about)
  }
  if (fields.some(({ at }) => at === 'body')) {
    add('--body <json>', 'all fields at once, or @file with them')
  }
  if (isList) {
    add('--limit <rows>', `how many to show at most (default: ${usualRows})`)
    add('--all', 'show all of them')
  }
  if (isText(answers)) {
    add('--columns <names>', 'what to show, such as id,visits.total')
    add('--json', 'as JSON')
  } else add('-o, --output <file>', 'write it to this file')
  if (isDangerous(operation)) add('--yes', 'do not ask first')
  if (operation.method !== 'GET') {
    add('--idempotency-key <key>', 'with the same key, the same is not done twice within a day')
  }
  return command
}

/** A required field is a word of the command, and any other an option. */
function isWord({ isRequired }: Field): boolean {
  return isRequired
}

/** What follows the words of an operation. */
export function usageOf(operation: Operation): string {
  const { fields, takesFile } = operation.details()
  const words = fields.filter(isWord).map(({ option }) => `<${option}>`)
  return [...words, ...(takesFile ? ['<file>'] : [])].join(' ')
}

/** The field that lines of standard input are: the only one without which nothing can be made. */
function fieldOfLines({ method }: Operation, { fields, takesFile }: Details): Field | undefined {
  const [only, ...others] = fields.filter(({ isRequired }) => isRequired)
  const isOne = only?.at === 'body' && only.kind === 'text' && others.length === 0
  return method === 'POST' && isOne && !takesFile ? only : undefined
}

function addOption(command: Command, field: Field): void {
  const { option: name, about, choices, isNullable, kind } = field
  const value = kind === 'json' ? 'json' : kind === 'number' ? 'number' : 'text'
  const option = new Option(kind === 'toggle' ? `--${name}` : `--${name} <${value}>`, about)
  if (choices.length > 0) option.choices(choices)
  if (kind === 'list') {
    option.argParser((word: string, all: readonly string[] = []) => [...all, word])
  }
  command.addOption(option)
  if (isNullable || kind === 'toggle') {
    command.addOption(
      new Option(`--no-${name}`, kind === 'toggle' ? 'the opposite' : 'clear it').hideHelp(),
    )
  }
}

function isText(answers: readonly string[]): boolean {
  return answers.length === 0 || answers.includes('application/json')
}

function isDangerous({ method }: Operation): boolean {
  return method === 'DELETE'
}

/** Runs an operation as it was typed. Resolves to the exit code. */
export async function runOperation(
  operation: Operation,
  words: readonly string[],
  { linnet, io }: Calling,
): Promise<number> {
  const details = operation.details()
  const command = commandOf(operation, !io.stdin.isTTY)
  command.configureOutput({
    writeOut: text => io.stdout.write(text),
    writeErr: text => io.stderr.write(text),
  })
  command.addHelpText('after', helpOf(operation, details))
  command.action(() => undefined)
  command.parse([...words], { from: 'user' })
  const typed = readTyped(command, details)
  const lines = fieldOfLines(operation, details)
  const isAbsent = lines && typed.values.get(lines) === undefined && typed.flags.body === undefined
  if (isAbsent) {
    const shared = (await bodyOf(typed, linnet)) ?? {}
    const many = { operation, field: lines, shared, asJson: Boolean(typed.flags.json) }
    return createMany(many, linnet, io)
  }
  if (isDangerous(operation) && !typed.flags.yes && !isTried(typed)) {
    const named = command.args.length > 0 ? `: ${command.args.join(' ')}` : ''
    if (!io.stdin.isTTY) throw new UserError(`${operation.summary}${named}? Add --yes.`)
    if (!(await isWanted(io, `${operation.summary}${named}?`))) {
      tell(io, 'Nothing was changed.')
      return exits.refused
    }
  }
  await send(operation, details, typed, { linnet, io })
  return 0
}

function isTried({ values }: Typed): boolean {
  return [...values].some(([{ name }, value]) => name === 'dry_run' && value === true)
}

function helpOf(operation: Operation, details: Details): string {
  const clearable = details.fields.find(({ isNullable, isRequired }) => isNullable && !isRequired)
  const lines = fieldOfLines(operation, details)
  return [
    '',
    '--server <name>, anywhere, calls another server than the current one.',
    ...(clearable
      ? [`--no- before the name of an option clears it: --no-${clearable.option}.`]
      : []),
    ...(lines
      ? [
          `Without <${lines.option}>, each line of standard input is one, or JSON with its fields.`,
          'Whoever sends the same lines again makes nothing twice.',
        ]
      : []),
  ].join('\n')
}

/** Reads what commander parsed. Throws a `UserError` for the first value that cannot be meant. */
function readTyped(command: Command, { fields, takesFile }: Details): Typed {
  const words = fields.filter(isWord)
  const options = command.opts()
  const values = new Map<Field, unknown>()
  for (const field of fields) {
    const given = isWord(field)
      ? command.processedArgs[words.indexOf(field)]
      : options[new Option(`--${field.option}`).attributeName()]
    if (given !== undefined) values.set(field, readValue(field, given))
  }
  return {
    flags: options,
    values,
    file: takesFile ? command.processedArgs[words.length] : undefined,
  }
}

function readValue(field: Field, given: unknown): unknown {
  if (field.kind === 'toggle') return given
  if (given === false) return null
  if (field.kind === 'list') {
    return [given].flat().flatMap(it => `${it}`.split(',').map(part => part.trim()))
  }
  const text = `${given}`
  if (field.kind === 'number') {
    const number = Number(text)
    if (text.trim() !== '' && Number.isFinite(number)) return number
    throw new UserError(`--${field.option} is "${text}": enter a number.`)
  }
  if (field.kind === 'json') return readJson(field.option, text)
  return field.isMoment ? withOffset(text) : text
}

/** JSON, or `@` with the name of a file that has it. */
export function readJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UserError(`--${option} has no valid JSON: ${error.message}`)
  }
}

/** A moment without an offset is one in the time zone of this machine, and a day begins at its midnight. */
function withOffset(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? []
  if (day === undefined) return text
  const at = new Date(`${day}T${time ?? '00:00'}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

async function send(
  operation: Operation,
  details: Details,
  typed: Typed,
  { linnet, io }: Calling,
): Promise<void> {
  const { flags, values } = typed
  const at = await addressOf(details, values, linnet)
  if (details.isList)
    return showList(operation, details, flags, {
      io,
      rows: pagesOf(linnet, operation, { ...at, signal: io.signal }),
    })
  const body = typed.file === undefined ? await bodyOf(typed, linnet) : await fileToSend(typed.file)
  const key = flags.idempotencyKey ?? randomUUID()
  const usual = { ...zoneOf(details, typed), ...lookOf(details, typed, io) }
  const answer = await linnet
    .request(operation.route, {
      ...at,
      query: { ...at.query, ...usual },
      ...(body !== undefined && { body }),
      ...(operation.method !== 'GET' && { idempotencyKey: key }),
      signal: io.signal,
    })
    .catch(error => {
      throw operation.method === 'GET' ? error : withDoubt(error, key)
    })
  if (answer instanceof Response) await showResponse(answer, details, flags, io)
  else await showAnswer(operation, answer, flags, { io, details })
  if (isTried(typed)) tell(io, 'It was only tried: nothing was changed.')
}

/** Days are those of this machine. */
function zoneOf({ fields }: Details, { values }: Typed) {
  const field = fields.find(({ name, at }) => name === 'timezone' && at === 'query')
  if (!field || values.has(field)) return {}
  return { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** Whoever lost the answer to a request does not know whether it was done. */
function withDoubt(error: unknown, key: string): unknown {
  const isLost = error instanceof ConnectionError || error instanceof Interrupted
  if (!isLost) return error
  error.message += ` Whether it was done is not known. Run it again with --idempotency-key ${key}: then it is not done twice.`
  return error
}

/** The values of the path and the query, names replaced by ids. */
async function addressOf({ fields }: Details, values: ReadonlyMap<Field, unknown>, linnet: Linnet) {
  const path: Record<string, string> = {}
  const query: Record<string, unknown> = {}
  for (const field of fields.filter(({ at }) => at !== 'body')) {
    const value = await withIds(field, values.get(field), linnet)
    if (value === undefined) continue
    if (field.at === 'path') path[field.name] = `${value}`
    else query[field.name] = value
  }
  return { path, query }
}

/** The body of a request; undefined if it has none. */
export async function bodyOf(
  { flags, values }: Pick<Typed, 'flags' | 'values'>,
  linnet: Linnet,
): Promise<Record<string, unknown> | undefined> {
  const whole = flags.body === undefined ? {} : (readJson('body', flags.body) as object)
  const fields = [...values].filter(([{ at }]) => at === 'body')
  if (flags.body === undefined && fields.length === 0) return undefined
  const body: Record<string, unknown> = { ...whole }
  for (const [field, value] of fields) {
    const [outer = '', inner] = field.name.split('.')
    const own = await withIds(field, value, linnet)
    body[outer] = inner === undefined ? own : { ...(body[outer] as object), [inner]: own }
  }
  return body
}

async function withIds({ list }: Field, value: unknown, linnet: Linnet): Promise<unknown> {
  if (list === undefined || value === undefined || value === null) return value
  if (!Array.isArray(value)) return idOf(linnet, list, `${value}`)
  const ids: string[] = []
  for (const it of value) ids.push(await idOf(linnet, list, `${it}`))
  return ids
}

interface Page {
  readonly data: readonly Record<string, unknown>[]
  readonly meta: { readonly total: number; readonly nextCursor: string | null }
}

/** Page after page of a list. */
async function* pagesOf(
  linnet: Linnet,
  { route }: Operation,
  input: { readonly query: object; readonly signal: AbortSignal },
): AsyncGenerator<Page, void> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { ...input.query, per_page: 100, ...(cursor !== undefined && { cursor }) }
    const page: Page = await linnet.request<Page>(route, { ...input, query })
    yield page
    cursor = page.meta.nextCursor
  }
}

async function showList(
  operation: Operation,
  details: Details,
  flags: Flags,
  { io, rows }: { readonly io: Io; readonly rows: AsyncGenerator<Page, void> },
): Promise<void> {
  const limit = flags.all ? Number.POSITIVE_INFINITY : readLimit(flags.limit)
  const read: Record<string, unknown>[] = []
  let total = 0
  for await (const { data, meta } of rows) {
    read.push(...data)
    total = meta.total
    if (read.length >= limit) break
  }
  const shown = read.slice(0, limit)
  if (flags.json) await printJson(io, shown)
  else {
    const columns = columnsOf(operation, details, flags)
    await print(io, ...tableOf(shown, { width: widthOf(io), columns }))
  }
  if (shown.length < total) {
    tell(
      io,
      `These are ${shown.length} of ${total.toLocaleString('en-US')}: --all shows all of them.`,
    )
  }
}

function readLimit(limit: string | undefined): number {
  if (limit === undefined) return usualRows
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit)
  throw new UserError(`--limit is "${limit}": enter a whole number from 1, or --all.`)
}

function columnsOf({ path }: Operation, { columns }: Details, flags: Flags): readonly string[] {
  if (flags.columns !== undefined) return flags.columns.split(',').map(it => toCamel(it.trim()))
  return usualColumns[path] ?? columns.filter(it => it !== 'updatedAt')
}

async function showAnswer(
  operation: Operation,
  answer: unknown,
  flags: Flags,
  { io, details }: { readonly io: Io; readonly details: Details },
): Promise<void> {
  const { data = answer } = (answer ?? {}) as { readonly data?: unknown }
  if (flags.json) return printJson(io, data ?? null)
  if (typeof data !== 'object' || data === null) return sayDone(flags, io)
  const width = widthOf(io)
  if (Array.isArray(data)) {
    return print(io, ...tableOf(data, { width, columns: columnsOf(operation, details, flags) }))
  }
  // Who makes a link wants to send it to somebody, or to another program.
  const { shortUrl } = data as { readonly shortUrl?: unknown }
  if (operation.method === 'POST' && typeof shortUrl === 'string' && flags.columns === undefined) {
    return print(io, shortUrl)
  }
  const columns = flags.columns === undefined ? [] : columnsOf(operation, details, flags)
  await print(io, ...cardOf(data as Record<string, unknown>, { width, columns }))
}

function sayDone({ json }: Flags, io: Io): Promise<void> {
  return json ? printJson(io, null) : print(io, 'Done.')
}

/** The format that the name of the file asks for, or that a terminal can show. */
function lookOf({ fields, answers }: Details, { flags, values }: Typed, io: Io) {
  const field = fields.find(({ name, at }) => name === 'format' && at === 'query')
  if (!field || values.has(field)) return {}
  const ending = flags.output === undefined ? undefined : extname(flags.output).slice(1)
  if (ending !== undefined && field.choices.includes(ending)) return { format: ending }
  const isDrawn = io.stdout.isTTY && flags.output === undefined && answers.includes('image/png')
  return isDrawn && field.choices.includes('png') ? { format: 'png' } : {}
}

/** A file: written where it was asked to, passed on to the next program, or drawn on a terminal. */
async function showResponse(
  response: Response,
  { answers }: Details,
  flags: Flags,
  io: Io,
): Promise<void> {
  const { output } = flags
  const type = (response.headers.get('Content-Type') ?? '').replace(/;.*/, '')
  const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([])
  if (output !== undefined) {
    await pipeline(body, createWriteStream(output), { signal: io.signal })
    return tell(io, `It is in ${output} now.`)
  }
  if (response.status === 204 || answers.length === 0) return sayDone(flags, io)
  if (io.stdout.isTTY && type === 'image/png') {
    const { drawImage } = await import('./draw-image.ts')
    return print(io, ...drawImage(await buffer(body), widthOf(io) ?? 80))
  }
  if (io.stdout.isTTY && !/^text\/|json|xml/.test(type)) {
    body.destroy()
    throw new UserError(`This is a file (${type}): name one with --output, or send it on with |.`)
  }
  for await (const chunk of body) {
    await new Promise<void>(resolve => io.stdout.write(chunk, () => resolve()))
  }
}
