import { randomUUID } from 'node:crypto'

/** What following a plain link needs to know about a request; every request of `node:http` has it. */
export interface RequestHead {
  readonly url?: string | undefined
  /** As name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Browsers send some twenty headers and proxies add a few. Requests with more are refused. */
export const mostHeaders = 100

/** Whether a header that was sent has this name, which is in lower case. */
export function isNamed(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name
}

/** The first raw header with a name; empty if there is none. `req.headers` would parse all of them. */
export function rawHeader({ rawHeaders }: Pick<RequestHead, 'rawHeaders'>, name: string): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isNamed(rawHeaders[index], name)) return rawHeaders[index + 1] ?? ''
  }
  return ''
}

/** An answer without a body. */
export interface ReadyAnswer {
  /** Status line and headers as they go over the wire, without those that `node:http` adds to each answer. */
  readonly head: string
}

/** Identifies a request, so that its answer can be found in the log. */
export const newRequestId = () => randomUUID()
