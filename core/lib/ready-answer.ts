/** An answer as it goes over the wire, without the headers that `node:http` adds to each. */
export interface ReadyAnswer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  /** One character for each byte, so that the text is written as it is instead of being encoded for each answer. */
  readonly body: string
}

/**
 * The answer to a GET: ready, or ready once the promise resolves and its function is called, or undefined if
 * unknown.
 */
export type Readiness = ReadyAnswer | Promise<() => ReadyAnswer | undefined> | undefined
