/** What following a plain link needs to know about a request; every request of `node:http` has it. */
export interface RequestHead {
  readonly url?: string | undefined
  /** As name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly socket: { readonly remoteAddress?: string | undefined }
}
