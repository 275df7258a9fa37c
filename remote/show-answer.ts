import { renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ConnectionError, type Page, UnexpectedAnswerError } from '../client/linnet.ts'
import { toCamel } from '../core/lib/text/casing.ts'
import { meant } from '../core/lib/text/nearest-name.ts'
import { showHidden } from '../core/lib/text/shown.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Operation } from './description.ts'
import { type Io, print, printJson, progressOn, tell, widthOf } from './io.ts'
import { cardOf, tableOf } from './table-and-card.ts'
import { type Flags, isText, type Typed, usualRows } from './typed-command.ts'

/** What tells more about a thing than the order of its fields. */
const usualColumns: Readonly<Record<string, readonly string[]>> = {
  '/links': ['shortUrl', 'originalUrl', 'title', 'visits.total', 'createdAt'],
}

/** A thing of a list, as the API answers it. */
export type Row = Readonly<Record<string, unknown>>

/** Shows a list as far as somebody wants it. */
export async function showList(
  operation: Operation,
  flags: Flags,
  io: Io,
  pages: AsyncIterable<Page<Row>>,
): Promise<void> {
  const limit = flags.all ? Number.POSITIVE_INFINITY : readLimit(flags.limit)
  const read: Row[] = []
  let total = 0
  const progress = progressOn(io)
  for await (const { data, meta } of pages) {
    read.push(...data)
    total = meta.total
    if (read.length >= limit) break
    progress.show(() => `${read.length} of ${total}`)
  }
  progress.hide()
  const shown = read.slice(0, limit)
  expectColumns(operation, flags, shown)
  if (flags.json) await printJson(io, shown)
  else await print(io, ...tableOf(shown, lookOf(operation, flags, io)))
  if (shown.length < total) {
    const count = total.toLocaleString('en-US')
    tell(io, `These are ${shown.length} of ${count}: --all shows all of them.`)
  }
}

function readLimit(limit: string | undefined): number {
  if (limit === undefined) return usualRows
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit)
  throw new UserError(`--limit is "${limit}": enter a whole number from 1, or --all.`)
}

/** Throws a `UserError` for a column that none of the rows has. */
function expectColumns({ columns }: Operation, flags: Flags, rows: readonly Row[]): void {
  const [first] = rows
  if (first === undefined || flags.json) return
  const known = [...new Set([...columns, ...Object.keys(first)])]
  for (const name of columnsOf(flags) ?? []) {
    if (rows.some(row => hasColumn(row, name))) continue
    const remedy = `Those that there are: ${known.join(', ')}.`
    throw new UserError(`There is no column ${showHidden(name)}. ${meant(name, known, remedy)}`)
  }
}

/** Whether a row has `visits.total`. What is empty may have anything in it. */
function hasColumn(row: Row, name: string): boolean {
  let here: unknown = row
  for (const part of name.split('.')) {
    if (here === null) return true
    if (typeof here !== 'object' || !(part in (here as Row))) return false
    here = (here as Row)[part]
  }
  return true
}

function columnsOf({ columns }: Flags): readonly string[] | undefined {
  return columns?.split(',').map(it => toCamel(it.trim()))
}

function lookOf({ path, columns }: Operation, flags: Flags, io: Io) {
  const named = columnsOf(flags)
  const usual = usualColumns[path] ?? columns.filter(it => it !== 'updatedAt')
  return { width: widthOf(io), columns: named ?? usual }
}

/** Shows what was answered: the thing itself, some in a list that has no pages, or a file. */
export async function showAnswer(
  operation: Operation,
  answer: unknown,
  flags: Flags,
  io: Io,
): Promise<void> {
  if (answer instanceof Response) {
    if (answer.ok && answer.status !== 204 && operation.answers.includes('application/json')) {
      const sentence = `${answer.url} answered with a file, but not as Linnet does.`
      throw new UnexpectedAnswerError(sentence, answer.status)
    }
    return showFile(operation, answer, flags, io)
  }
  const { data = answer } = (answer ?? {}) as { readonly data?: unknown }
  if (flags.json) return printJson(io, data ?? null)
  if (typeof data !== 'object' || data === null) return sayDone(flags, io)
  const rows = (Array.isArray(data) ? data : [data]) as readonly Row[]
  expectColumns(operation, flags, rows)
  const look = lookOf(operation, flags, io)
  if (Array.isArray(data)) return print(io, ...tableOf(data, look))
  // Who makes a link wants to send it to somebody, or to another program.
  const { shortUrl } = data as Row
  if (operation.method === 'POST' && typeof shortUrl === 'string' && flags.columns === undefined) {
    return print(io, showHidden(shortUrl))
  }
  const columns = flags.columns === undefined ? [] : look.columns
  await print(io, ...cardOf(data as Row, { ...look, columns }))
}

function sayDone({ json }: Flags, io: Io): Promise<void> {
  return json ? printJson(io, null) : print(io, 'Done.')
}

/** The format that the name of the file asks for, or that a terminal can show. */
export function formatFor({ fields, answers }: Operation, { flags, values }: Typed, io: Io) {
  const field = fields.find(({ name, at }) => name === 'format' && at === 'query')
  if (!field || values.has(field) || isText(answers)) return {}
  const ending = flags.output === undefined ? 'png' : extname(flags.output).slice(1)
  if (ending !== '' && !field.choices.includes(ending)) {
    const endings = field.choices.map(it => `.${it}`).join(' or ')
    throw new UserError(`Name a file that ends with ${endings}, or choose with --format.`)
  }
  const isMeant = flags.output !== undefined || io.stdout.isTTY
  return isMeant && field.choices.includes(ending) ? { format: ending } : {}
}

/** A file: written where it was asked to, drawn on a terminal, or passed on to the next program. */
async function showFile(
  { answers }: Operation,
  response: Response,
  flags: Flags,
  io: Io,
): Promise<void> {
  const { output } = flags
  const type = (response.headers.get('Content-Type') ?? '').replace(/;.*/, '')
  const body = Readable.from(chunksOf(response))
  if (output !== undefined) return writeFile(body, output, io)
  if (response.status === 204 || answers.length === 0) return sayDone(flags, io)
  if (io.stdout.isTTY && type === 'image/png') {
    const { drawImage } = await import('./draw-image.ts')
    return print(io, ...drawImage(await buffer(body), widthOf(io) ?? 0))
  }
  if (io.stdout.isTTY && !/^text\/|json|xml/.test(type)) {
    throw new UserError(`This is a file (${type}): name one with --output, or send it on with |.`)
  }
  for await (const chunk of body) {
    await new Promise<void>(resolve => io.stdout.write(chunk, () => resolve()))
  }
}

/** A file has its name only when it is whole. */
async function writeFile(body: Readable, file: string, io: Io): Promise<void> {
  const part = `${file}.part`
  // Opened before anything can fail: a stream would open it later, also after it was removed here.
  const written = await open(part, 'w')
  try {
    await pipeline(body, chunks => counted(chunks, io), written.createWriteStream(), {
      signal: io.signal,
    })
  } catch (error) {
    rmSync(part, { force: true })
    throw io.signal.aborted ? io.signal.reason : error
  }
  renameSync(part, file)
  tell(io, `It is in ${file} now.`)
}

/** The same chunks, while a terminal shows how much has come. */
async function* counted(chunks: AsyncIterable<Uint8Array>, io: Io) {
  const progress = progressOn(io)
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    progress.show(() => `${(bytes / 1_000_000).toFixed(1)} MB`)
    yield chunk
  }
  progress.hide()
}

/** What arrives of a file. The client has handed it over, so it is not asked for again. */
async function* chunksOf({ body, url }: Response): AsyncGenerator<Uint8Array, void> {
  try {
    if (body) yield* body
  } catch (cause) {
    throw new ConnectionError(
      `The connection to ${new URL(url).origin} broke before all had come.`,
      {
        cause,
      },
    )
  }
}
