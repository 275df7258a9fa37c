/** What following a plain link needs to know of a request; `node:http` has it of every one. */
export interface RequestHead {
  readonly url?: string | undefined
  /** As name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly socket: { readonly remoteAddress?: string | undefined }
}
