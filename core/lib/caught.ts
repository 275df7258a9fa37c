import { isNativeError } from 'node:util/types'
import { shorten } from './text/shown.ts'

/** The most characters of each part of a copy, and the most errors behind one another that are kept. */
const maxChars = 10_000
const maxCauses = 20

/**
 * What was thrown, as an error that can be read without failing: plugins throw null, errors that are their own cause, and
 * objects whose getters throw. It is the same error if nothing is wrong with it, because its class tells what failed.
 */
export function caught(thrown: unknown): Error {
  try {
    if (isSound(thrown)) {
      if (typeof thrown.stack !== 'string') thrown.stack = stackIn(thrown, `${thrown}`)
      return thrown
    }
  } catch {
    // It cannot be read, or not be mended.
  }
  return plainError(thrown)
}

/** What was thrown and the errors that caused it, the latest first. */
export function causesOf(thrown: unknown): readonly Error[] {
  const error = caught(thrown)
  return error.cause instanceof Error ? [error, ...causesOf(error.cause)] : [error]
}

/** A copy that can pass to another thread: with a name, a message and a stack. No frames of ours if that had none. */
export function plainError(thrown: unknown): Error {
  const name = textIn(thrown, 'name') ?? 'Error'
  const message = textIn(thrown, 'message') ?? wordsFor(thrown)
  const stack = stackIn(thrown, `${name}: ${message}`)
  return Object.defineProperties(new Error(message), {
    name: { value: name },
    stack: { value: stack, writable: true },
  })
}

/** Whether all that is read of an error can be read, and its causes end. */
function isSound(it: unknown, causes = maxCauses): it is Error {
  // What a thread failed with is made anew by Node, as an object with the prototype of an error.
  if (!(it instanceof Error) || causes === 0) return false
  const { name, message, stack: _, code, cause } = it as NodeJS.ErrnoException
  const areTexts = [name, message, `${code}`].every(part => typeof part === 'string')
  return areTexts && (!(cause instanceof Error) || isSound(cause, causes - 1))
}

function textIn(thrown: unknown, part: string): string | undefined {
  const text = partOf(thrown, part)
  return typeof text === 'string' ? shorten(text, maxChars) : undefined
}

/** A package may have made it a list of call sites, with `Error.prepareStackTrace`. */
function stackIn(thrown: unknown, head: string): string {
  const sites = partOf(thrown, 'stack')
  if (!Array.isArray(sites)) return textIn(thrown, 'stack') ?? head
  return [head, ...sites.map(site => `    at ${site}`)].join('\n')
}

function partOf(thrown: unknown, part: string): unknown {
  try {
    return (thrown as Readonly<Record<string, unknown>>)[part]
  } catch {
    return undefined
  }
}

function wordsFor(thrown: unknown): string {
  if (typeof thrown === 'string') return shorten(thrown, maxChars)
  if (isNativeError(thrown)) return 'it threw an error without a message'
  if (typeof thrown === 'function') return 'it threw a function, which is no error'
  const what = typeof thrown === 'object' && thrown !== null ? 'an object' : String(thrown)
  return `it threw ${what}, which is no error`
}
