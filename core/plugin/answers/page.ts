import type { AnswerHeaders } from './answer-headers.ts'
import type { VisitorText } from './visitor-text.ts'

/**
 * A page for visitors in the look of the instance. All texts are escaped, and it runs no script. A program that asks for
 * JSON gets the same as data.
 */
export interface Page extends PageContent {
  readonly kind: 'page'
  readonly heading: VisitorText
  /** The way on, as a button. */
  readonly link?: { readonly label: VisitorText; readonly url: string }
  /** After so many seconds, the visitor is sent where `link` leads. */
  readonly wait?: number
  /** Elements `meta` of its head, such as `{ 'og:title': 'Spring' }`, for programs that show a card of the page. */
  readonly meta?: Readonly<Record<string, string>>
  /** HTTP status, but none of a redirect. Default: 200. */
  readonly status?: number
  readonly headers?: AnswerHeaders
}

/** What a page says below its heading. */
export interface PageContent {
  /** A paragraph. */
  readonly text?: VisitorText
  readonly rows?: readonly { readonly label: VisitorText; readonly value: VisitorText }[]
  /** Shown in place of Linnet's own drawing. */
  readonly image?: Image
}

/** A picture. Nothing is loaded from other servers. */
interface Image {
  /** A data URI of a PNG, JPEG, WebP or GIF file, or a path on the same host, such as `/cards/spring.png`. */
  readonly src: string
  /** What it shows, for those who do not see it. */
  readonly alt: VisitorText
}

/**
 * Make a page.
 *
 * @example
 * page({ heading: 'Closed', text: 'We open in May.', status: 410 })
 */
export function page(it: Omit<Page, 'kind'>): Page {
  return { kind: 'page', ...it }
}
