/** An answer without a body. */
export interface ReadyAnswer {
  /** Status line and headers as they go over the wire, without those that `node:http` adds to each answer. */
  readonly head: string
}
