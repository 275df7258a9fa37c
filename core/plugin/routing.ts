import type { Claim, Later, Outcome } from './outcomes.ts'
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
 * previous target returned, or else the original URL. Time limit: 250 ms; after that, the visitor is sent to `url`.
 *
 * @example
 * const target: Target = ({ language }, url) => (language.startsWith('de') ? `${url}/de` : url)
 */
export type Target = (visit: Visit, url: string) => Later<string | Routed>

/**
 * The address of a visit, with a name for the variant that was chosen. Dimensions read it in `visit.variants`, by the
 * plugin's `feature`.
 */
export interface Routed {
  readonly url: string
  readonly variant: string
}
