import { pino } from 'pino'
import { caught, plainError } from '../../lib/caught.ts'
import { hasMoreThan } from '../../lib/has-more-than.ts'
import { shorten } from '../../lib/text/shown.ts'
import type { Log } from '../../plugin.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'

export type LogLevel = 'info' | 'warn' | 'error' | 'silent'

/** How lines are written; auto: for people on a terminal, for programs elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text'

/** Where lines go. */
export interface LogLines {
  write(line: string): void
}

/**
 * What must not reach the log even if somebody passes it: who visited, and secrets. None of our code logs
 * these; this is the second lock on the door.
 */
const never = ['ip', 'userAgent', 'query', 'authorization', 'cookie', 'password', 'token']

/**
 * To standard output: JSON for programs, or plain text for people. A file on a full disk or a terminal that was closed
 * must not end the server: unlike the destination of pino, `process.stdout` leaves out what cannot be written.
 */
export function logLinesTo(format: LogFormat): LogLines {
  const isForPeople = format === 'text' || (format === 'auto' && process.stdout.isTTY)
  return isForPeople ? forPeople(process.stdout) : { write: line => process.stdout.write(line) }
}

/** A log of JSON lines; `every` holds the fields that each line has. */
export function createLog(
  level: LogLevel,
  lines: LogLines = logLinesTo('auto'),
  every: Readonly<Record<string, string>> = {},
  nowMs = () => performance.now(),
): Log {
  const logger = pino(
    {
      level,
      base: every,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { error: shortError },
      redact: { paths: never.flatMap(key => [key, `*.${key}`]), remove: true },
    },
    { write: line => lines.write(line.length > maxLine ? cut(line) : line) },
  )
  const thin = thinOut(nowMs)
  // Of two fields with one name programs read the last, so what a plugin calls `level` is left out.
  const ours = new Set(['level', 'time', 'message', ...Object.keys(every)])
  const write =
    (level: keyof Log): Log['info'] =>
    (message, details = {}) => {
      const kept = level === 'info' ? details : thin(message, details)
      if (!kept) return
      const others = Object.entries(kept).filter(([name]) => !ours.has(name))
      logger[level](bounded(Object.fromEntries(others)), shorten(message, maxChars))
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** The most characters of a line, and of each detail of a longer one. */
const maxLine = 60_000
const maxDetail = 1_000

/** Details of which a line would be too long, with less of them: written first and cut then, megabytes hold everybody up. */
function bounded({ feature, error, ...details }: Readonly<Record<string, unknown>>): object {
  const whose = { ...(feature !== undefined && { feature }), ...(error !== undefined && { error }) }
  if (!isTooLong(details, maxLine)) return { ...details, ...whose }
  const shown = Object.entries(details)
    .slice(0, maxParts)
    .map(([key, value]) => [shorten(key, maxDetail), shortValue(value)])
  return { ...Object.fromEntries(shown), isCut: true, ...whose }
}

/** The first parts of a value that is too long. */
function shortValue(value: unknown, isPart = false): unknown {
  try {
    return partsOf(value, isPart)
  } catch {
    return '…'
  }
}

function partsOf(value: unknown, isPart: boolean): unknown {
  if (typeof value === 'string') return shorten(value, maxDetail)
  if (!isTooLong(value, maxDetail)) return value
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  if (isPart) return '…'
  if (Array.isArray(value)) return value.slice(0, maxParts).map(it => shortValue(it, true))
  const parts = Object.entries(value as object).slice(0, maxParts)
  return Object.fromEntries(
    parts.map(([key, it]) => [shorten(key, maxDetail), shortValue(it, true)]),
  )
}

/** So is what cannot be read: pino would fail. */
function isTooLong(value: unknown, most: number): boolean {
  try {
    return hasMoreThan(value, most)
  } catch {
    return true
  }
}

/** A line that is too long, with less of its details. */
function cut(line: string): string {
  const { level, time, feature, message, error, ...details } = JSON.parse(line)
  const shown = Object.entries(details)
    .slice(0, maxParts)
    .map(([key, value]) => {
      const text = JSON.stringify(value)
      return [shorten(key, maxDetail), text.length > maxDetail ? shorten(text, maxDetail) : value]
    })
  const { type, message: why, stack } = error ?? {}
  const short = error && { error: { type, message: why, stack } }
  const all = { level, time, ...Object.fromEntries(shown), feature, ...short, message }
  return `${JSON.stringify({ ...all, isCut: true })}\n`
}

/** The most characters of a message, and of each part of an error: whole pages of other servers end up in them. */
const maxChars = 10_000

function shortError(thrown: unknown): object {
  try {
    return shortParts(caught(thrown))
  } catch {
    // One of its other parts cannot be read.
    return shortParts(plainError(thrown))
  }
}

function shortParts(error: Error): object {
  const shown = Object.entries(pino.stdSerializers.err(error)).map(([key, value]) => {
    if (typeof value === 'string') return [key, shorten(value, maxChars)]
    return [key, shortValue(Array.isArray(value) ? value.slice(0, maxParts) : value)]
  })
  return Object.fromEntries(shown)
}

/** How many of its parts, such as the issues of zod, an error is logged with. */
const maxParts = 10

const sameAgainMs = 60_000

/**
 * While the database or the disk is away, or cannot be read, all requests fail alike, and would fill a disk with lines that say so: of each
 * message one a minute is told, with how many were left out before it. Gives undefined for the others.
 */
function thinOut(nowMs: () => number) {
  const logged = new Map<string, { untilMs: number; omitted: number }>()
  return (message: string, details: object): object | undefined => {
    if (!('error' in details && isStorageTrouble(details.error))) return details
    const last = logged.get(message)
    if (last && nowMs() < last.untilMs) {
      last.omitted += 1
      return undefined
    }
    logged.set(message, { untilMs: nowMs() + sameAgainMs, omitted: 0 })
    return last?.omitted ? { ...details, omitted: last.omitted } : details
  }
}

/**
 * `12:30:01 warn  The disk is full freeBytes=0`, an error's stack below. What the message says already is not said again,
 * and an address to open is on a line of its own.
 */
export function forPeople(out: LogLines): LogLines {
  return {
    write(line) {
      const { time, level, message, error, ...rest } = JSON.parse(line)
      const details = Object.entries(rest)
        .filter(([, value]) => !isSaid(value, message))
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      const [, text = message, address] = /^(.*:) (https?:\/\/\S+)$/s.exec(message) ?? []
      const words = [time.slice(11, 19), level.padEnd(5), text, ...details].join(' ')
      const stack = error === undefined ? '' : `${error.stack ?? JSON.stringify(error)}\n`
      const toOpen = address === undefined ? '' : `${address}\n`
      out.write(withoutControls(`${words}\n${toOpen}${stack}`))
    },
  }
}

/** Whether the words of a value stand in a message in the same order, such as a port in an address. */
function isSaid(value: unknown, message: string): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return wordsOf(message).includes(wordsOf(String(value)))
}

function wordsOf(text: string): string {
  return ` ${(text.match(/[\p{L}\p{N}]+/gu) ?? ['-']).join(' ')} `
}

/** A text from outside must not steer the terminal, nor look like another line of the log. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '').replace(/\n(?=\d\d:\d\d:\d\d )/g, '\n    ')
}
