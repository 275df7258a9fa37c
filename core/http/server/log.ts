import { pino } from 'pino'
import { caught, plainError } from '../../lib/caught.ts'
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
    lines,
  )
  const thin = thinOut(nowMs)
  return {
    info: (message, details = {}) => logger.info(details, shorten(message, maxChars)),
    warn(message, details = {}) {
      const kept = thin(message, details)
      if (kept) logger.warn(kept, shorten(message, maxChars))
    },
    error(message, details = {}) {
      const kept = thin(message, details)
      if (kept) logger.error(kept, shorten(message, maxChars))
    },
  }
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
    return Array.isArray(value) ? [key, value.slice(0, maxParts)] : [key, value]
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

/** A text from outside must not steer the terminal. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '')
}
