import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Linnet, ProblemError, type Retry, UnexpectedAnswerError } from '../client/linnet.ts'
import { parseJson } from '../core/lib/text/json.ts'
import type { Env } from '../core/lib/variable-text.ts'
import { version } from '../package.json'
import { type Operation, operationsOf } from './description.ts'
import { type Io, tell } from './io.ts'
import { cacheFolder, readIfThere, type Server } from './known-servers.ts'

/** A retry that takes longer is told, in milliseconds. */
const toldWaitMs = 2_000

/** A client of a server that tells of long waits. */
export function connect({ url, token }: Pick<Server, 'url' | 'token'>, io: Io): Linnet {
  const onRetry = ({ waitMs, error }: Retry) => {
    if (waitMs < toldWaitMs || !io.stderr.isTTY) return
    tell(io, `${error.message} Trying again in ${Math.ceil(waitMs / 1_000)} s.`)
  }
  return new Linnet({ url, token, fetch: io.fetch, onRetry })
}

interface Kept {
  readonly etag: string
  /** By which program they were read. */
  readonly version: string
  readonly operations: readonly Operation[]
}

/**
 * What a server can do, by its description: what is kept here, if the server says that this is still right. No token is
 * sent, because nobody knows yet what answers.
 */
export async function readDescription(url: string, io: Io): Promise<readonly Operation[]> {
  const file = fileOf(url, io.env)
  const kept = readKept(file)
  let etag: string | null = null
  const linnet = new Linnet({
    url,
    // Who typed a wrong address wants to know it at once.
    retries: 2,
    timeoutMs: 10_000,
    async fetch(...request) {
      const answer = await io.fetch(...request)
      etag = answer.headers.get('ETag')
      return answer
    },
  })
  const answer = await linnet
    .request<unknown>('GET /openapi.json', {
      ...(kept && { ifNoneMatch: kept.etag }),
      signal: io.signal,
    })
    .catch((error: unknown) => {
      throw error instanceof ProblemError && error.status === 404 ? notLinnet(url) : error
    })
  if (answer instanceof Response) {
    if (kept) return kept.operations
    throw notLinnet(url)
  }
  const operations = operationsIn(answer, url)
  if (etag !== null) keep(file, { etag, version, operations })
  return operations
}

function operationsIn(answer: unknown, url: string): readonly Operation[] {
  try {
    const operations = operationsOf((answer ?? {}) as Readonly<Record<string, unknown>>)
    if (operations.some(({ path }) => path === '/links')) return operations
  } catch (cause) {
    // Such as references that lead around in a circle.
    throw notLinnet(url, cause)
  }
  throw notLinnet(url)
}

/** What is kept of the description of a server, without asking it. */
export function keptDescription(url: string, env: Env): readonly Operation[] {
  return readKept(fileOf(url, env))?.operations ?? []
}

function notLinnet(url: string, cause?: unknown): UnexpectedAnswerError {
  const sentence = `What answers at ${url} is not Linnet, or it does not serve its API there: some have it on the host of their dashboard.`
  return Object.assign(new UnexpectedAnswerError(sentence, 404), cause && { cause })
}

function fileOf(url: string, env: Env): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(cacheFolder(env), `${name}.json`)
}

/** Another version of this program may read descriptions in another way. */
function readKept(file: string): Kept | undefined {
  const kept = parseJson(readIfThere(file) ?? '') as Kept | undefined
  return kept?.version === version ? kept : undefined
}

/** What cannot be kept costs time, and nothing else. */
function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 })
    renameSync(fresh, file)
  } catch {
    return
  }
}
