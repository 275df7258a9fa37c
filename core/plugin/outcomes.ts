/**
 * What a plugin may answer. Plugins return these values and never write a response,
 * so the kernel decides what a visitor sees, also when a plugin fails.
 */

/** A visitor is turned away, or a link is not saved, with a sentence that says why. */
export interface Refusal {
  readonly kind: 'refuse'
  /** Stable snake_case word for programs. */
  readonly code: string
  /** One sentence for people. */
  readonly detail: string
  /** HTTP status, 400–599. */
  readonly status: number
  /** The field of the request that is to blame, as `shortCode` or `rules[2].value`. */
  readonly field?: string
  /** More members for the problem document, as `{ limit: 50, used: 50 }`. */
  readonly details?: Readonly<Record<string, string | number | readonly string[]>>
}

/**
 * A visitor is asked something; the answers come back in `visit.answers`, with `continue: 'yes'`. Without inputs it is
 * a page with a button alone.
 */
export interface Ask {
  readonly kind: 'ask'
  readonly title: string
  readonly inputs: readonly Input[]
  /** What was wrong with the last answers. */
  readonly problem?: string
}

/** One question on an asking page. */
export interface Input {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password' | 'email'
}

/** A visitor is sent elsewhere, and not counted. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly url: string
}

/**
 * A page about a link: facts, and one way on.
 *
 * @example
 * const view: View = {
 *   heading: 'Where this link leads',
 *   rows: [{ label: 'Leads to', value: url }],
 *   link: { label: 'Go there', url },
 * }
 */
export interface View {
  readonly heading: string
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  readonly link: { readonly label: string; readonly url: string }
}

/** What a guard may answer instead of letting the visitor through. */
export type Outcome = Refusal | Ask | Redirect

/**
 * Let through as far as this guard is concerned, but do something once every other guard has let
 * through too, right before the redirect: take the last place, and maybe still turn away. Who only
 * looks, by `HEAD` or at a view, takes none, and is not told the address either.
 *
 * @example
 * guard: () => () => claim(() => (takeLast() ? undefined : refuse('used_up', 'It was used up.', 410)))
 */
export interface Claim {
  readonly kind: 'claim'
  claim(): Outcome | undefined | Promise<Outcome | undefined>
}

/**
 * Turn away.
 *
 * @example
 * refuse('too_many_attempts', 'Try again in a minute.', 429)
 */
export function refuse(
  code: string,
  detail: string,
  status = 422,
  field?: string,
  details?: Refusal['details'],
): Refusal {
  return {
    kind: 'refuse',
    code,
    detail,
    status,
    ...(field !== undefined && { field }),
    ...(details && { details }),
  }
}

/**
 * Ask the visitor; without inputs it is a page to click through.
 *
 * @example
 * ask('This link leads to example.com', [])
 */
export function ask(title: string, inputs: readonly Input[], problem?: string): Ask {
  return problem === undefined
    ? { kind: 'ask', title, inputs }
    : { kind: 'ask', title, inputs, problem }
}

/**
 * Whether a value that some code returned is a refusal.
 *
 * @example
 * isRefusal(redirect('https://example.com/over')) // false
 */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refuse'
}

/**
 * Send the visitor elsewhere.
 *
 * @example
 * redirect('https://example.com/over')
 */
export function redirect(url: string): Redirect {
  return { kind: 'redirect', url }
}

/**
 * Let through once `take` has let through, after all other guards.
 *
 * @example
 * claim(() => refuse('used_up', 'This link was used up.', 410))
 */
export function claim(take: Claim['claim']): Claim {
  return { kind: 'claim', claim: take }
}

/** The answer to who is refused by a queue that is full. */
export const overloaded = refuse(
  'unavailable',
  'The server is too busy at the moment. Try again in a few seconds.',
  503,
  undefined,
  { retryAfterSeconds: 2 },
)

/** A value now or later: every hook may be plain or async. */
export type Later<T> = T | Promise<T>
