/**
 * Ask a server on the internet for something. Only http and https; an address in a private network, or a redirect to
 * one, is never connected to, unless the operator says so: see `toOwnNetwork`. Throws a `FetchFailed` when there is no
 * whole answer in time; any status is an answer.
 *
 * @example
 * const { status, body } = await fetch('https://example.com/list.txt', { maxBytes: 10_000_000 })
 */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Fetched>

/**
 * How something is asked for.
 *
 * @example
 * await fetch(settings.url, { method: 'POST', body: JSON.stringify({ text }), toOwnNetwork: true })
 */
export interface FetchOptions {
  /** `GET` unless said. Only `GET` and `HEAD` follow redirects, five at most. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent to the origin of `url` only, not to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For everything together, redirects too; 5,000 unless said. */
  readonly timeoutMs?: number
  /** What is past this is not read; 1 MiB unless said. */
  readonly maxBytes?: number
  /**
   * True where the operator gave the address, as in a setting, and never for what accounts or visitors give: it may
   * be in a private network then, at any port, where `LINNET_FETCH_ALLOW` names it.
   */
  readonly toOwnNetwork?: boolean
  /** Stops it; the stop of the process does so anyway. */
  readonly signal?: AbortSignal
}

/**
 * What a server answered.
 *
 * @example
 * const { status, isWhole, body } = await fetch(url)
 * if (status !== 200 || !isWhole) throw new Error(`The list answers ${status}`)
 */
export interface Fetched {
  readonly status: number
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
  /** False: there was more than `maxBytes`. */
  readonly isWhole: boolean
}

/**
 * Why there is no answer; it names the host, never the path or the query.
 *
 * @example
 * new FetchFailed('example.com does not answer').message // example.com does not answer
 */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
}
