import { setTimeout as wait } from 'node:timers/promises'
import { type Fetched, FetchFailed } from '../../../../core/plugin.ts'
import { leastMebibytes, memoryMebibytes } from '../memory.ts'
import { type Asked, SourceError } from '../source.ts'
import { parseJson } from './json.ts'

/** The API of a service. */
export interface Api {
  /**
   * The JSON at a path. Undefined if it answers with one of `unless`, such as 404; 413 is also an answer that is larger than what is
   * read. Throws `SourceError` if it gives none.
   */
  get(path: string, query?: Query, unless?: readonly number[]): Promise<unknown>
}

/** Parameters of a request. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** The longest that a service may let us wait: some count by the hour. */
const longestWaitMs = 65 * 60_000

/**
 * An answer has at most so many MiB, and so many values, which is more than it can have of links: each takes far more memory than its
 * text. With little memory, 8 MiB nearly ended a server, and held its redirects for seconds.
 */
const usualMost = { mib: 8, values: 250_000 }
const mostWithLittleMemory = { mib: 2, values: 100_000 }

/** So many times in a row it may fail, and so many times refuse for now, with pauses that double up to ten minutes. */
const mostFailures = 5
const mostRefusals = 16
const longestUsualMs = 600_000

/**
 * An API that answers with JSON, asked with patience: what fails is tried again, and whoever asks for less is asked after the
 * time that they name. `firstWaitMs` is how long the first pause is.
 */
export function openApi(
  asked: Pick<Asked, 'fetch' | 'signal' | 'now'>,
  about: {
    /** What the service is called. */
    readonly name: string
    /** Its URL, with or without a slash at its end. */
    readonly base: string
    readonly headers: Readonly<Record<string, string>>
    readonly firstWaitMs?: number
  },
  mebibytes = memoryMebibytes(),
): Api {
  const most = mebibytes < leastMebibytes ? mostWithLittleMemory : usualMost
  const { signal } = asked
  const { name, headers, firstWaitMs = 1_000 } = about
  const base = about.base.replace(/\/+$/, '')
  const host = URL.parse(base)?.host ?? base

  async function send(url: string): Promise<Fetched | Failure> {
    try {
      const options = { headers: { Accept: 'application/json', ...headers }, signal }
      return await asked.fetch(url, { ...options, timeoutMs: 60_000, maxBytes: most.mib * 2 ** 20 })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FetchFailed)) throw error
      if (error.isForbidden) throw new SourceError(error.message)
      return { problem: `fails: ${error.message.replace(/\.$/, '')}` }
    }
  }

  /** Waits until the service may be asked again. Throws if that is too long. */
  async function pause(pauseMs: number): Promise<void> {
    if (pauseMs > longestWaitMs) {
      const minutes = Math.ceil(pauseMs / 60_000)
      throw new SourceError(
        `${name} (${host}) asks to wait for ${minutes} minutes. Start the import again after that: nothing comes twice.`,
      )
    }
    await wait(Math.max(pauseMs, 0), undefined, { signal })
  }

  return {
    async get(path, query = {}, unless = []) {
      const url = `${base}${path}${searchOf(query)}`
      let failures = 0
      let refusals = 0
      for (;;) {
        const answer = await send(url)
        if (isFailure(answer) || answer.status !== 429) {
          if (!isFailure(answer) && unless.includes(statusOf(answer))) return undefined
          const read = isFailure(answer) ? { problem: answer.problem } : readAnswer(answer, path)
          if ('json' in read) return read.json
          failures += 1
          if (failures > mostFailures) throw gaveUp(read.problem, path)
          await pause(usualMs(failures))
        } else {
          refusals += 1
          if (refusals > mostRefusals) throw gaveUp('refuses more requests for now', path)
          await pause(askedWaitMs(answer, asked.now()) ?? usualMs(refusals))
        }
      }
    },
  }

  function usualMs(times: number): number {
    return Math.min(firstWaitMs * 2 ** (times - 1), longestUsualMs)
  }

  /** The JSON of an answer, or what is wrong with it for now. Throws if that is for good. */
  function readAnswer(answer: Fetched, path: string): { json: unknown } | { problem: string } {
    const { status, isWhole, body } = answer
    if (status >= 500) return { problem: `fails with ${status}` }
    if (status !== 200) throw refusalOf(status, { name, host, path })
    if (!isWhole) return { problem: `answers with more than ${most.mib} MiB at once` }
    const json = parseJson(new TextDecoder().decode(body), most.values)
    return json === undefined ? { problem: 'does not answer with JSON' } : { json }
  }

  function gaveUp(problem: string, path: string): SourceError {
    return new SourceError(
      `${name} (${host}) ${problem}, at ${path}. Start the import again later: nothing comes twice.`,
    )
  }
}

interface Failure {
  readonly problem: string
}

/** 413, Content Too Large, is also what a service says that has too much for one answer. */
function statusOf({ status, isWhole }: Fetched): number {
  return status === 200 && !isWhole ? 413 : status
}

function isFailure(answer: Fetched | Failure): answer is Failure {
  return 'problem' in answer
}

/** A text of others as a part of a path, also one with half a letter. */
export function inPath(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** `Retry-After`, in seconds or as a date. */
function askedWaitMs({ headers }: Fetched, now: Date): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) return undefined
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - now.getTime()
  return Number.isNaN(ms) ? undefined : ms
}

function refusalOf(
  status: number,
  { name, host, path }: { readonly name: string; readonly host: string; readonly path: string },
): SourceError {
  if (status === 401) {
    return new SourceError(
      `${name} (${host}) does not accept the key. Make a new one there, and enter it whole.`,
    )
  }
  if (status === 403) {
    return new SourceError(
      `${name} (${host}) refuses ${path}: the key may not read it, or is wrong, or your plan there does not include it.`,
    )
  }
  if (status === 404) {
    return new SourceError(`${host} has no ${path}. Is it the address of ${name}?`)
  }
  return new SourceError(`${name} (${host}) answers ${path} with ${status}.`)
}
