import type { File } from './answers/answer-file.ts'
import type { AnswerHeaders } from './answers/answer-headers.ts'
import type { Page, PageContent } from './answers/page.ts'
import type { Texts, VisitorText } from './answers/visitor-text.ts'
import type { Json } from './fields.ts'

/**
 * What plugins answer. They return these values and never write a response, so that Linnet decides what a visitor sees,
 * even if a plugin fails.
 */

/** Turns a visitor away, or refuses a request of the API, with a sentence that says why. */
export interface Refusal {
  readonly kind: 'refuse'
  /** A word in snake_case, for programs. It never changes. */
  readonly code: string
  /** One sentence for people, in English. */
  readonly detail: string
  /** The same sentence for visitors, in each language that has a translation. */
  readonly texts?: Texts
  /** HTTP status, 400 to 599. */
  readonly status: number
  /** The field that is wrong, such as `shortCode` or `rules[2].value`. */
  readonly field?: string
  /** More members of the problem document, such as `{ limit: 50, used: 50 }`. */
  readonly details?: Readonly<Record<string, Json>>
}

/**
 * Shows a page with questions. The guard then runs again with the answers in `visit.answers`, which include
 * `continue: 'yes'`. Without inputs the page has only a button.
 */
export interface Ask extends PageContent {
  readonly kind: 'ask'
  readonly title: VisitorText
  readonly inputs: readonly Input[]
  /** One sentence that says what was wrong with the last answers. */
  readonly problem?: VisitorText
}

/** A question on such a page. */
export interface Input {
  readonly name: string
  readonly label: VisitorText
  /** `new-password`: one that is chosen now, which browsers offer to make up and keep. */
  readonly type: 'text' | 'password' | 'new-password' | 'email'
}

/** Sends the visitor to another URL. The visit is not counted. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly url: string
  /** Default: 302. After the form of a question it is always 303, so that no answer is sent on. */
  readonly status?: RedirectStatus
  readonly headers?: AnswerHeaders
}

export type RedirectStatus = 301 | 302 | 303 | 307 | 308

/**
 * Follows another path on the same host, with the guards and targets of its link, as if the visitor had asked for it. The
 * visit is counted for that link.
 */
export interface Follow {
  readonly kind: 'follow'
  /** A short code, perhaps with the suffix of a view, such as `spring` or `spring+`. */
  readonly path: string
  /** What to answer if there is no link either; another link, too. */
  readonly otherwise?: Follow | Page | Redirect | Refusal | undefined
  /**
   * What stood behind the short code, for `visit.rest`. Then only a link for which this plugin has a target is followed, and no
   * view is shown.
   */
  readonly rest?: string | undefined
  /**
   * Answered to GET and HEAD in place of whatever the link would answer, if there is one. The visit counts if no guard stops it,
   * and uses nothing up. It is never cached.
   */
  readonly instead?: File | undefined
}

/** What a guard returns to stop a visitor. */
export type Outcome = Refusal | Ask | Page | Redirect

/**
 * Lets the visitor through, but runs `claim` right before the redirect, once all other guards have let the visitor
 * through too. It may still stop the visitor. It does not run for `HEAD` requests and views, which do not get the URL, nor
 * for robots, which get a page with a button. After
 * two seconds the visitor is told to come again, whatever it does then: before that, give up yourself, and undo what you took.
 *
 * @example
 * guard: () => () => claim(() => (takeLast() ? undefined : refuse('used_up', 'It was used up.', 410)))
 */
export interface Claim {
  readonly kind: 'claim'
  claim(): Outcome | undefined | Promise<Outcome | undefined>
}

/**
 * Make a refusal: `code` for programs, `detail` for people, `status` from 400 to 599. Visitors read `detail` in their
 * language if it is translated, else in English.
 *
 * @example
 * refuse('closed', { en: 'Come back on Monday.', de: 'Komm am Montag wieder.' }, 404)
 */
export function refuse(
  code: string,
  detail: VisitorText,
  status = 422,
  field?: string,
  details?: Refusal['details'],
): Refusal {
  // Some are the answer of many: what a plugin wrote into one, all others would say.
  return Object.freeze({
    kind: 'refuse',
    code,
    ...(typeof detail === 'string'
      ? { detail }
      : { detail: detail.en, texts: Object.freeze({ ...detail }) }),
    status,
    ...(field !== undefined && { field }),
    ...(details && { details: Object.freeze({ ...details }) }),
  })
}

/**
 * Make a page with questions, or with only a button.
 *
 * @example
 * ask('This link leads to example.com', [], undefined, { text: 'It is not ours.' })
 */
export function ask(
  title: VisitorText,
  inputs: readonly Input[],
  problem?: VisitorText,
  more?: PageContent,
): Ask {
  return { kind: 'ask', title, inputs, ...(problem !== undefined && { problem }), ...more }
}

/**
 * Whether a value is a refusal.
 *
 * @example
 * isRefusal(redirect('https://example.com/over')) // false
 */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refuse'
}

/**
 * Make a redirect to another URL. The visit is not counted.
 *
 * @example
 * redirect('https://example.com/over')
 */
export function redirect(url: string, status?: RedirectStatus, headers?: AnswerHeaders): Redirect {
  return {
    kind: 'redirect',
    url,
    ...(status !== undefined && { status }),
    ...(headers && { headers }),
  }
}

/**
 * Follow the link with another short code on the same host. If there is none either, `otherwise` is the answer. With `rest`,
 * only a link for which this plugin has a target is followed; targets find it in `visit.rest`. `instead` is answered in place of
 * what the link would answer.
 *
 * @example
 * unstable: { unknown: ({ path }) => follow(path.toLowerCase()) }
 */
export function follow(
  path: string,
  otherwise?: Follow['otherwise'],
  rest?: string,
  instead?: File,
): Follow {
  return { kind: 'follow', path, otherwise, rest, instead }
}

/**
 * Make a claim: `take` runs after all other guards, right before the redirect.
 *
 * @example
 * claim(() => refuse('used_up', 'This link was used up.', 410))
 */
export function claim(take: Claim['claim']): Claim {
  return { kind: 'claim', claim: take }
}

/** The refusal for a thing that does not exist, or that the caller must not know of. */
export const notFound = refuse('not_found', 'This does not exist.', 404)

/** The answer to a request that a full queue refuses. */
export const overloaded = refuse(
  'unavailable',
  {
    en: 'The server is too busy at the moment. Try again in a few seconds.',
    de: 'Der Server ist gerade überlastet. Versuche es in ein paar Sekunden noch einmal.',
    fr: 'Le serveur est surchargé pour le moment. Réessayez dans quelques secondes.',
    es: 'El servidor está sobrecargado en este momento. Inténtalo de nuevo en unos segundos.',
  },
  503,
  undefined,
  { retryAfterSeconds: 2 },
)

/** A value or a promise of it: hooks may be async or not. */
export type Later<T> = T | Promise<T>
