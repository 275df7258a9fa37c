/** An answer as it goes over the wire, but for what `node:http` says in each. */
export interface ReadyAnswer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  /** A character for each byte: such a text is written as it is, and none is encoded for each answer. */
  readonly body: string
}

/** Of the answer to a GET: it is ready, or is once something was found out and it is asked for; or nobody knows it. */
export type Readiness = ReadyAnswer | Promise<() => ReadyAnswer | undefined> | undefined
