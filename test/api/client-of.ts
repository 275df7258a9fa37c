import { Linnet } from '../../client/linnet.ts'
import type { Harness } from '../harness.ts'

const url = 'https://go.example.org'

/** The client of the API, as the account with this token calls a server without a port. */
export function clientOf(linnet: Harness, token: string): Linnet {
  return new Linnet({ url, token, fetch: fetchOf(linnet) })
}

/** What reaches a server without a port. */
export function fetchOf(linnet: Harness): typeof fetch {
  return async (input, { method = 'GET', headers, body } = {}) => {
    const path = String(input).slice(`${url}/api/v1`.length)
    const sent = typeof body === 'string' ? JSON.parse(body) : await bytesOf(body)
    const answer = await linnet.api(method, path, sent, Object.fromEntries(new Headers(headers)))
    const isFile = answer.body instanceof Uint8Array || answer.body === undefined
    return new Response(isFile ? answer.body : JSON.stringify(answer.body), {
      status: answer.status,
      headers: answer.headers as Record<string, string>,
    })
  }
}

async function bytesOf(body: unknown): Promise<unknown> {
  return body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : (body ?? undefined)
}
