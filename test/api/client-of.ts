import { Linnet } from '../../client/linnet.ts'
import type { Harness } from '../harness.ts'

/** The client of the API, as the account with this token calls a server without a port. */
export function clientOf(linnet: Harness, token: string): Linnet {
  return new Linnet({
    url: 'https://go.example.org',
    token,
    async fetch(input, { method = 'GET', headers, body } = {}) {
      const path = String(input).slice('https://go.example.org/api/v1'.length)
      const sent = typeof body === 'string' ? JSON.parse(body) : (body ?? undefined)
      const answer = await linnet.api(method, path, sent, headers as Record<string, string>)
      const isFile = answer.body instanceof Uint8Array || answer.body === undefined
      return new Response(isFile ? answer.body : JSON.stringify(answer.body), {
        status: answer.status,
        headers: answer.headers as Record<string, string>,
      })
    },
  })
}
