import type { ReadyAnswer } from '../../lib/request-head.ts'
import type { AnswerHeaders } from '../../plugin/answers/answer-headers.ts'

/**
 * A redirect to an address that is safe to follow: a 302 (RFC 9110, section 15.4.3). A hundred thousand of them
 * may be in memory, so each keeps only what it does not share.
 */
export class Redirect implements ReadyAnswer {
  readonly #url: string
  readonly #more: readonly string[]
  readonly #ending: string

  /** `more` are raw headers, and `ending` is all that follows the address over the wire. */
  constructor(url: string, more: readonly string[], ending: string) {
    this.#url = url
    this.#more = more
    this.#ending = ending
  }

  /** Raw headers, the form that `writeHead` takes fastest. */
  get headers(): string[] {
    return [...redirectHeaders(this.#url), ...this.#more]
  }

  /** Status line and headers as they go over the wire, except for those that are new in each answer. */
  get head(): string {
    return `HTTP/1.1 302 Found\r\nLocation: ${this.#url}${this.#ending}`
  }
}

/** A redirect with these raw headers besides its own. */
export function redirectTo(url: string, more: readonly string[] = none): Redirect {
  const ending = endings.get(more) ?? `\r\n${linesOf([...otherHeaders, ...more])}`
  endings.set(more, ending)
  return new Redirect(url, more, ending)
}

const none: readonly string[] = []
const endings = new WeakMap<readonly string[], string>()

/** Raw headers of a redirect. Those of a plugin come in place of the usual ones. */
export function redirectHeaders(url: string, own?: AnswerHeaders): string[] {
  if (!own) return ['Location', url, ...otherHeaders]
  const usual = Object.fromEntries(pairs(otherHeaders))
  return Object.entries({ ...usual, ...own, Location: url }).flat()
}

function pairs(headers: readonly string[]): readonly (readonly [string, string])[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as const] : [],
  )
}

/** All headers of a redirect but its `Location`. */
export const otherHeaders: readonly string[] = [
  ...['Cache-Control', 'private, no-store'],
  ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ...['X-Robots-Tag', 'noindex'],
  ...['Content-Length', '0'],
]

/** Raw headers as they go over the wire. */
export function linesOf(headers: readonly string[]): string {
  return headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
}
