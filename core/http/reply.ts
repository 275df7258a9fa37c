/** What a success answers; `status` when it differs from the route's. */
export interface Reply {
  /** Sent as JSON; as it is when `headers` has a `Content-Type`, and then it is text or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}
