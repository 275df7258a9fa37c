/**
 * Send a request to a server on the internet, by http or https. Linnet does not connect to private networks, not even
 * after a redirect; for exceptions see `toOwnNetwork`. Throws `FetchFailed` if there is no complete answer in time. An
 * answer with an error status does not throw.
 *
 * @example
 * const { status, body } = await fetch('https://example.com/list.txt', { maxBytes: 10_000_000 })
 */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Fetched>

/**
 * Options of a request.
 *
 * @example
 * await fetch(settings.url, { method: 'POST', body: JSON.stringify({ text }), toOwnNetwork: true })
 */
export interface FetchOptions {
  /** Default: `GET`. Only `GET` and `HEAD` follow redirects, at most five. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `manual`: a redirect is the answer, with its `Location`. Default: it is followed. */
  readonly redirect?: 'manual'
  /** Sent to the origin of `url`, but not to other origins after a redirect. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Time limit for the whole request with its redirects, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number
  /** The maximum number of bytes of the body to read. Default: 1,048,576. */
  readonly maxBytes?: number
  /**
   * True allows private networks that `LINNET_FETCH_ALLOW` names, at any port. Set it only for URLs from the operator,
   * such as a setting, and never for URLs from accounts or visitors.
   */
  readonly toOwnNetwork?: boolean
  /** Aborts the request. It is also aborted when the server stops. */
  readonly signal?: AbortSignal
}

/**
 * The answer of a server.
 *
 * @example
 * const { status, isWhole, body } = await fetch(url)
 * if (status !== 200 || !isWhole) throw new Error(`The list answers ${status}`)
 */
export interface Fetched {
  readonly status: number
  /** The URL of the answer, after redirects. */
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
  /** False if the body is longer than `maxBytes`. */
  readonly isWhole: boolean
}

/**
 * Thrown if a server does not answer. The message says why. It names the host, but neither path nor query.
 *
 * @example
 * new FetchFailed('example.com does not answer').message // example.com does not answer
 */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  /** True: nothing was asked, because plugins may not connect there. It says nothing of what others would get. */
  readonly isForbidden: boolean

  constructor(message: string, { isForbidden = false }: { readonly isForbidden?: boolean } = {}) {
    super(message)
    this.isForbidden = isForbidden
  }
}
