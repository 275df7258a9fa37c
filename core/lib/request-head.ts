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

/** An answer without a body. */
export interface ReadyAnswer {
  /** Status line and headers as they go over the wire, without those that `node:http` adds to each answer. */
  readonly head: string
}

/** Identifies a request, so that its answer can be found in the log. */
export const newRequestId = () => randomUUID()
