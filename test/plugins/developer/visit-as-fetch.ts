import type { Harness, VisitOptions } from '../../harness.ts'

/** `fetch` for clients of other programs, which reaches Linnet in the same process, whatever the host. */
export function visitAsFetch(linnet: () => Harness): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const { status, text, headers } = await linnet().visit(pathname.slice(1), {
      method: (init.method ?? 'GET') as NonNullable<VisitOptions['method']>,
      query: search,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body && { body: String(init.body) }),
    })
    const noBody = status === 204 || status === 304
    const type = String(headers['content-type'] ?? '')
    return new Response(noBody ? null : text, { status, headers: { 'content-type': type } })
  }
}
