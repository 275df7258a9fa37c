/** A successful answer; `status` if it differs from the route's. */
export interface Reply {
  /**
   * Sent as JSON. If `headers` has a `Content-Type`, it is sent as it is: a text, bytes, or a stream whose
   * length is in `headers`.
   */
  readonly body?: unknown
  /** The body as JSON, if it is known already; in bytes, which may be compressed, if several answers share them. */
  readonly json?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}
