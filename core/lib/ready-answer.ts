/** An answer as it goes over the wire, without the headers that `node:http` adds to each. */
export interface ReadyAnswer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  /** One character for each byte, so that the text is written as it is instead of being encoded for each answer. */
  readonly body: string
}
