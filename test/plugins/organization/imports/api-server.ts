import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGuardedFetch } from '../../../../core/kernel/run/guarded-fetch.ts'

/** A request that a server of a test got. */
export interface Got {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
}

/** What it answers: JSON, or something else. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  /** Ends the connection in the middle of the answer. */
  readonly isCut?: boolean
}

/** Requests as plugins send them, to servers on this machine too. */
export const fetch = createGuardedFetch({
  isAllowed: () => true,
  signal: new AbortController().signal,
})

/** A server that answers as a service does. Ends with the test, or by `close`. */
export async function serve(answerTo: (got: Got) => Answer): Promise<{
  readonly base: string
  readonly got: readonly Got[]
  close(): void
}> {
  const got: Got[] = []
  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://service.test')
    const request = { path: pathname, query: Object.fromEntries(searchParams), headers }
    got.push(request)
    const { status = 200, headers: more = {}, json, text, isCut } = answerTo(request)
    const body = text ?? JSON.stringify(json)
    response.writeHead(status, { 'Content-Type': 'application/json', ...more })
    if (isCut) response.write(body.slice(0, body.length / 2), () => response.destroy())
    else response.end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  try {
    onTestFinished(close)
  } catch {
    // Outside of a test, whoever started it ends it.
  }
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, close }
}

/** What answers as the file system of a service does: by path, 404 for all others. */
export function byPath(paths: Readonly<Record<string, unknown>>) {
  return ({ path }: Got): Answer =>
    path in paths ? { json: paths[path] } : { status: 404, json: { error: 'not found' } }
}
