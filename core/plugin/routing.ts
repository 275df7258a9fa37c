import type { AnswerHeaders } from './answers/answer-headers.ts'
import type { Page } from './answers/page.ts'
import type { Ask, Claim, Later, Outcome, RedirectStatus } from './outcomes.ts'
import type { Visit } from './visit.ts'

/**
 * Runs on each visit of a guarded link. Undefined lets the visitor through. If it throws, or takes longer than 2 s, the
 * visitor gets 503.
 *
 * @example
 * const guard: Guard = ({ at }) => (at < opening ? refuse('too_early', 'Not yet.', 403) : undefined)
 */
export type Guard = (visit: Visit) => Later<Outcome | Claim | undefined>

/**
 * Runs on each visit of a link with a target, and returns the address for this visit. `url` is the address that the
 * previous target returned, or else the original URL. Time limit: 250 ms; after that, the visitor is sent to `url`. A page
 * is shown in place of the redirect, and no other target is asked; the visit is counted. An `ask` without inputs leaves `url` as
 * it is, and is shown first, with a button; the target is asked once more for it when the address is final. The visit counts
 * once the button is pressed. Of several, the first is shown; and where a visit uses something up, a page of Linnet in its
 * place, which does not say where the link leads.
 *
 * @example
 * const target: Target = ({ language }, url) => (language.startsWith('de') ? `${url}/de` : url)
 */
export type Target = (visit: Visit, url: string) => Later<string | Routed | Page | Ask>

/**
 * The address of a visit, and how the visitor is sent there.
 *
 * @example
 * const target: Target = (_, url) => ({ url, status: 308, headers: { 'Referrer-Policy': 'no-referrer' } })
 */
export interface Routed {
  readonly url: string
  /** A name for the variant that was chosen. Dimensions read it in `visit.variants`, by the plugin's `feature`. */
  readonly variant?: string
  /** Default: 302, or what the previous target said. After the form of a question it is always 303. */
  readonly status?: RedirectStatus
  /** They are added to those of previous targets. */
  readonly headers?: AnswerHeaders
}
