import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Linnet, ProblemError, type Retry, UnexpectedAnswerError } from '../client/linnet.ts'
import { parseJson } from '../core/lib/text/json.ts'
import type { Env } from '../core/lib/variable-text.ts'
import { type Operation, operationsOf } from './description.ts'
import { type Io, tell } from './io.ts'
import { cacheFolder, readIfThere, type Server } from './known-servers.ts'

/** A retry that takes longer is told, in milliseconds. */
const toldWaitMs = 2_000

/** What is called; without a token, only what anybody may ask. */
type Address = Pick<Server, 'url'> & Partial<Pick<Server, 'token'>>

/** A client of a server that tells of long waits. */
export function connect({ url, token }: Pick<Server, 'url' | 'token'>, io: Io): Linnet {
  const onRetry = ({ waitMs, error }: Retry) => {
    if (waitMs < toldWaitMs || !io.stderr.isTTY) return
    tell(io, `${error.message} Trying again in ${Math.ceil(waitMs / 1_000)} s.`)
  }
  return new Linnet({ url, token, fetch: io.fetch, onRetry })
}

type Document = Readonly<Record<string, unknown>>

interface Kept {
  readonly etag: string
  readonly document: Document
}

/** What a server can do, by its description: the one that is kept here, if the server says that it is still right. */
export async function readDescription(
  { url, token }: Address,
  io: Io,
): Promise<readonly Operation[]> {
  const file = fileOf(url, io.env)
  const kept = readKept(file)
  let etag: string | null = null
  const linnet = new Linnet({
    url,
    // Who typed a wrong address wants to know it at once.
    retries: 2,
    ...(token !== undefined && { token }),
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
  if (answer instanceof Response) return kept ? operationsOf(kept.document) : fail(notLinnet(url))
  const document = answer as Document
  const operations = operationsOf(document)
  if (!operations.some(({ path }) => path === '/links')) throw notLinnet(url)
  if (etag !== null) keep(file, { etag, document: shorter(document) as Document })
  return operations
}

/** What is kept of the description of a server, without asking it. */
export function keptDescription(url: string, env: Env): readonly Operation[] {
  const kept = readKept(fileOf(url, env))
  return kept ? operationsOf(kept.document) : []
}

function notLinnet(url: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `What answers at ${url} is not Linnet, or it does not serve its API there: some have it on the host of their dashboard.`,
    404,
  )
}

function fail(error: Error): never {
  throw error
}

function fileOf(url: string, env: Env): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(cacheFolder(env), `${name}.json`)
}

function readKept(file: string): Kept | undefined {
  return parseJson(readIfThere(file) ?? '') as Kept | undefined
}

/** A cache that cannot be written costs time, and nothing else. */
function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(cacheFolderOf(file), { recursive: true, mode: 0o700 })
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 })
    renameSync(fresh, file)
  } catch {
    return
  }
}

function cacheFolderOf(file: string): string {
  return join(file, '..')
}

/** Commands need no examples, patterns and refusals, which are three quarters of it. */
const unneeded = new Set(['example', 'examples', 'pattern', 'headers', 'security'])

function shorter(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(shorter)
  if (typeof part !== 'object' || part === null) return part
  const kept = Object.entries(part).filter(
    ([name, value]) => !(unneeded.has(name) && !isField(value)) && !/^[45]\d\d$/.test(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, shorter(value)]))
}

/** A field may have any name, also one of these. */
function isField(value: unknown): boolean {
  const { type, anyOf, $ref } = (value ?? {}) as Document
  return type !== undefined || anyOf !== undefined || $ref !== undefined
}
