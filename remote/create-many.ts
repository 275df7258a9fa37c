import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { type Linnet, ProblemError } from '../client/linnet.ts'
import { failureLine } from '../core/cli/output.ts'
import { parseJson } from '../core/lib/text/json.ts'
import { showHidden } from '../core/lib/text/shown.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Field, Operation } from './description.ts'
import { exits, sentencesOf, tellFailure } from './failures.ts'
import { type Io, print, progressOn, tell } from './io.ts'

/** How many requests are under way at once. */
const atOnce = 8

/** How often a line is sent again: for most of a minute, so that a server may start anew meanwhile. */
const retries = 10

/** How many refused lines are told one by one. */
const mostTold = 20

export interface Many {
  readonly operation: Operation
  /** What makes or changes the thing that another program calls by an id, if the server has that. */
  readonly putByExternalId: Operation | undefined
  /** What a line is, unless it has JSON with several fields. */
  readonly field: Field
  /** What all of them have. */
  readonly shared: Values
  readonly asJson: boolean
}

type Values = Readonly<Record<string, unknown>>

interface Line {
  readonly number: number
  /** Undefined if the line cannot be read. */
  readonly body: Values | undefined
  /** The same each time for the same line of the same input. */
  readonly key: string
}

type Outcome =
  | { readonly line: Line; readonly data: Values; readonly problem: null }
  | { readonly line: Line; readonly data: null; readonly problem: Refusal }

/** Why a line was refused, and none of the others need be. */
type Refusal = Pick<ProblemError['problem'], 'code' | 'detail' | 'errors'>

/**
 * Makes a thing of each line of standard input, some at the same time, and prints what came of them in their order.
 * Whoever sends the same lines again finds what is there, so nothing is made twice.
 */
export async function createMany(many: Many, linnet: Linnet, io: Io): Promise<number> {
  const make = makerOf(many, linnet, io.signal)
  const report = reporterOf(many, io)
  const waiting: Promise<Outcome>[] = []
  try {
    for await (const line of linesOf(many, io)) {
      io.signal.throwIfAborted()
      const outcome = make(line)
      // Somebody awaits it below, but perhaps not before it fails.
      outcome.catch(() => undefined)
      waiting.push(outcome)
      if (waiting.length >= atOnce) await report.show(await firstOf(waiting))
    }
    io.signal.throwIfAborted()
    while (waiting.length > 0) await report.show(await firstOf(waiting))
  } catch (error) {
    for (const settled of await Promise.allSettled(waiting)) {
      if (settled.status === 'fulfilled') await report.show(settled.value)
    }
    return report.stop(error)
  }
  return report.end()
}

/** Takes it away only when it is there, so that all that are under way are known. */
async function firstOf(waiting: Promise<Outcome>[]): Promise<Outcome> {
  const outcome = await waiting[0]
  waiting.shift()
  if (outcome === undefined) throw new Error('nothing is under way')
  return outcome
}

/**
 * Makes the thing of a line, as often as it is called, once: a thing with an id of another program by that id, a link by
 * `reuse`, and anything else by its key, which the server remembers for a day.
 */
function makerOf(many: Many, linnet: Linnet, signal: AbortSignal) {
  const { operation, putByExternalId, field, shared } = many
  const canReuse = operation.fields.some(({ name }) => name === 'reuse')

  return async (line: Line): Promise<Outcome> => {
    if (line.body === undefined) return { line, data: null, problem: unreadable(field) }
    const body: Values = { ...shared, ...line.body }
    const { external_id: id, ...others } = body
    const reuses = canReuse && !('reuse' in body) && !hasPassword(body)
    try {
      const { data } = await (putByExternalId && isInPath(id)
        ? linnet.request<{ data: Values }>(putByExternalId.route, {
            path: { id },
            body: others,
            retries,
            signal,
          })
        : linnet.request<{ data: Values }>(operation.route, {
            body: reuses ? { ...body, reuse: true } : body,
            ...(!reuses && { idempotencyKey: line.key }),
            retries,
            signal,
          }))
      return { line, data, problem: null }
    } catch (error) {
      if (!isOfLine(error)) throw error
      return { line, data: null, problem: error.problem }
    }
  }
}

/** Whether a path can name it: dots alone would lead to another. */
function isInPath(id: unknown): id is string {
  return typeof id === 'string' && !/^\.{0,2}$/.test(id)
}

/** Nobody can compare passwords, so the server refuses `reuse` beside one. */
function hasPassword({ password = null }: Values): boolean {
  return password !== null
}

/** Whether it says nothing of the lines after it: not that the token, the plan or the server stands in the way. */
function isOfLine(error: unknown): error is ProblemError {
  return error instanceof ProblemError && [400, 409, 413, 422].includes(error.status)
}

function unreadable({ option }: Field): Refusal {
  return {
    code: 'invalid',
    detail: `Enter the ${option} alone, or valid JSON with fields.`,
    errors: [],
  }
}

/** Prints what came of each line, and at the end, how many there were. */
function reporterOf({ operation, asJson }: Many, io: Io) {
  let done = 0
  let refused = 0
  // Where results come out on the same terminal, these are the progress.
  const progress = io.stdout.isTTY ? undefined : progressOn(io)

  function summary(): string {
    const [whole, ...parts] = [done + refused, done, refused].map(it => it.toLocaleString('en-US'))
    const noun = done + refused === 1 ? 'line' : 'lines'
    return `${whole} ${noun}: ${parts[0]} done, ${parts[1]} refused.`
  }

  return {
    async show({ line: { number }, data, problem }: Outcome): Promise<void> {
      if (problem === null) {
        done += 1
        if (!asJson) await print(io, showHidden(`${data.shortUrl ?? data.id}`))
      } else {
        refused += 1
        progress?.hide()
        if (!asJson && refused <= mostTold)
          tell(io, `Line ${number}: ${sentencesOf(problem).join(' ')}`)
        if (!asJson && refused === mostTold)
          tell(io, 'Further refusals are only counted; --json has them all.')
      }
      if (asJson) await print(io, JSON.stringify({ line: number, data, problem }))
      progress?.show(summary)
    },

    end(): number {
      progress?.hide()
      if (done + refused === 0) throw new UserError('No lines came on standard input.')
      tell(io, summary())
      return refused > 0 ? exits.refused : exits.done
    },

    stop(error: unknown): number {
      progress?.hide()
      const told = tellFailure(error, undefined)
      if (told === undefined) throw error
      const lines = [
        told.message,
        `Stopped: ${summary()} All others were not sent, or their answer was lost.`,
        `Run the same again: nothing is made twice${operation.path === '/links' ? '' : ' within a day'}.`,
      ]
      if (asJson) io.stderr.write(failureLine(lines.join(' '), told.code))
      else for (const line of lines) tell(io, line)
      return told.code
    },
  }
}

async function* linesOf(
  { operation, field, shared }: Many,
  { stdin: input, signal }: Io,
): AsyncGenerator<Line, void> {
  const times = new Map<string, number>()
  let number = 0
  const lines = createInterface({ input, signal, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    number += 1
    const text = line.replace(/^\ufeff/, '').trim()
    if (text === '') continue
    // The same line may stand there twice, and mean two things.
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    const whole = JSON.stringify([operation.method, operation.path, shared, text, time])
    const key = createHash('sha256').update(whole).digest('hex')
    yield { number, body: bodyOf(text, field), key }
  }
}

function bodyOf(text: string, { name }: Field): Values | undefined {
  if (!text.startsWith('{')) return { [name]: text }
  return parseJson(text) as Values | undefined
}
