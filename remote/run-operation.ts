import { randomUUID } from 'node:crypto'
import { ConnectionError, type Linnet, List } from '../client/linnet.ts'
import { UserError } from '../core/lib/user-error.ts'
import { createMany } from './create-many.ts'
import type { Field, Operation } from './description.ts'
import { exits, Interrupted } from './failures.ts'
import { idOf } from './find-ids.ts'
import { fileToSend, type Io, isWanted, tell } from './io.ts'
import { formatFor, type Row, showAnswer, showList } from './show-answer.ts'
import { fieldOfLines, readJson, readTyped, type Typed } from './typed-command.ts'

export interface Calling {
  readonly linnet: Linnet
  /** All that the server has. */
  readonly operations: readonly Operation[]
  readonly io: Io
}

/** Runs an operation as it was typed. Resolves to the exit code. */
export async function runOperation(
  operation: Operation,
  words: readonly string[],
  { linnet, operations, io }: Calling,
): Promise<number> {
  const typed = readTyped(operation, words, io)
  const { flags, values } = typed
  const lines = fieldOfLines(operation)
  if (lines && values.get(lines) === undefined && flags.body === undefined) {
    const shared = (await bodyOf(typed, linnet)) ?? {}
    const route = `PUT ${operation.path}/by-external-id/{id}`
    const putByExternalId = operations.find(it => it.route === route)
    const many = { operation, putByExternalId, field: lines, shared, asJson: flags.json === true }
    return createMany(many, linnet, io)
  }
  if (operation.method === 'DELETE' && !flags.yes && !isTried(typed)) {
    const question = `${[operation.summary, ...typed.words].join(': ')}?`
    if (!io.stdin.isTTY) throw new UserError(`${question} Add --yes.`)
    if (!(await isWanted(io, question))) {
      tell(io, 'Nothing was changed.')
      return exits.refused
    }
  }
  await send(operation, typed, linnet, io)
  return exits.done
}

function isTried({ values }: Typed): boolean {
  return [...values].some(([{ name }, value]) => name === 'dry_run' && value === true)
}

async function send(operation: Operation, typed: Typed, linnet: Linnet, io: Io): Promise<void> {
  const { method, route, isList } = operation
  const { flags, values, file } = typed
  const { signal } = io
  const { path, query } = await addressOf(operation, values, linnet)
  const asked = { ...query, ...zoneOf(operation, values), ...formatFor(operation, typed, io) }
  if (isList) {
    const list = new List<Row>(asked, query => linnet.request(route, { path, query, signal }))
    return showList(operation, flags, io, list.pages())
  }
  const body = file === undefined ? await bodyOf(typed, linnet) : await fileToSend(file)
  const key = flags.idempotencyKey ?? randomUUID()
  const answer = await linnet
    .request(route, {
      path,
      query: asked,
      ...(body !== undefined && { body }),
      ...(method !== 'GET' && { idempotencyKey: key }),
      signal,
    })
    .catch(error => {
      throw method === 'GET' ? error : withDoubt(error, key)
    })
  await showAnswer(operation, answer, flags, io)
  if (isTried(typed)) tell(io, 'It was only tried: nothing was changed.')
}

/** Days are those of this machine. */
function zoneOf({ fields }: Operation, values: Typed['values']) {
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
async function addressOf({ fields }: Operation, values: Typed['values'], linnet: Linnet) {
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
async function bodyOf(
  { flags, values }: Typed,
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
  if (list === null || value === undefined || value === null) return value
  if (!Array.isArray(value)) return idOf(linnet, list, `${value}`)
  const ids: string[] = []
  for (const it of value) ids.push(await idOf(linnet, list, `${it}`))
  return ids
}
