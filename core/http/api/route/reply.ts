/** What a success answers; `status` when it differs from the route's. */
export interface Reply {
  /**
   * Sent as JSON; as it is when `headers` has a `Content-Type`, and then it is text, bytes, or a stream,
   * whose length `headers` has.
   */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}
