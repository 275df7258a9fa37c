import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Overloaded } from '../../lib/async/bounded-queue.ts'
import { newRequestId } from '../../lib/request-head.ts'
import { weighted } from '../../lib/text/weighted.ts'
import type { NotFound, VisitorPages } from '../../links/follow/follow-deps.ts'
import { setHeaders, takeHead } from '../../links/follow/ready-response.ts'
import { linesOf } from '../../links/follow/redirect.ts'
import type { Page as PluginPage } from '../../plugin/answers/page.ts'
import { overloaded } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import { apiHeaders, type Headers, refusalHeaders, send, sendProblem } from '../send/send.ts'
import { type ChooseLanguage, createChooseLanguage, type PageLanguage } from './choose-language.ts'
import type { PageTheme } from './page-theme.ts'
import {
  askPage,
  methodNotAllowedPage,
  notFoundPage,
  pageInEnglish,
  pageOfFailure,
  refusedPage,
  render,
  sheetOf,
  type VisitorPage,
} from './pages.ts'

/** Shows visitors pages that all look the same. */
export interface PageSender {
  /** The current theme. */
  theme(): PageTheme
  /** Shows a visitor a page. A program that asks for JSON gets the same as a problem. */
  page(req: IncomingMessage, res: ServerResponse, page: VisitorPage, requestId?: string): void
  /**
   * Prepares a page that is asked for often, with these additional raw headers. What all its answers have in
   * common is worked out once for each theme and language.
   */
  readyPage(page: VisitorPage, headers: readonly string[]): NotFound
  /** Shows a visitor the page of a plugin. A program that asks for JSON gets the same as data. */
  shown(req: IncomingMessage, res: ServerResponse, page: PluginPage): void
}

/** In either form, an answer may not be kept, be indexed, or tell others where the visitor was. */
const privateHeaders: Headers = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

const chooseOwn = createChooseLanguage()

/** What an answer depends on besides the address. */
const vary = 'Accept, Accept-Language'

/**
 * Sends pages in the current theme.
 *
 * @param chooses how the language is chosen now. Default: among those that come with Linnet
 */
export function createPageSender(
  theme: () => PageTheme,
  chooses: () => ChooseLanguage = () => chooseOwn,
): PageSender {
  const languageOf = (req: IncomingMessage): PageLanguage =>
    chooses()(req.headers['accept-language'])

  const pageHeaders = (art: VisitorPage['art']): Headers => ({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyFor(art, theme()),
    'X-Content-Type-Options': 'nosniff',
  })

  const headersOf = ({ refusal, headers = {}, art }: VisitorPage): Headers => ({
    ...pageHeaders(art),
    ...refusalHeaders(refusal),
    ...privateHeaders,
    ...headers,
    Vary: vary,
  })

  const sender: PageSender = {
    theme,

    page(req, res, page, requestId = newRequestId()) {
      const { refusal, headers = {} } = page
      const id = { 'X-Request-Id': requestId }
      if (prefersJson(req.headers.accept)) {
        const always = { ...privateHeaders, ...headers, ...id, Vary: vary }
        sendProblem(res, refusal, requestId, always)
      } else {
        send(
          res,
          page.status ?? refusal.status,
          { ...headersOf(page), ...id },
          render(page, theme(), languageOf(req)),
        )
      }
    },

    readyPage(page, headers) {
      const { status } = page.refusal
      let made = new WeakMap<PageLanguage, ReadyPage>()
      let madeFor: PageTheme | undefined
      const make = (language: PageLanguage): ReadyPage => {
        const all = [...headers, ...Object.entries(headersOf(page)).flat()]
        const ready = makeReady(status, all, render(page, theme(), language))
        made.set(language, ready)
        return ready
      }
      const readyFor = (language: PageLanguage): ReadyPage => {
        if (madeFor !== theme()) {
          made = new WeakMap()
          madeFor = theme()
        }
        return made.get(language) ?? make(language)
      }
      return (req, res) => {
        const requestId = newRequestId()
        const isFit = !res.destroyed && !prefersJson(req.headers.accept)
        if (isFit && sendReady(res, status, readyFor(languageOf(req)), requestId)) return
        setHeaders(res, headers)
        sender.page(req, res, page, requestId)
      }
    },

    shown(req, res, page) {
      const { status = 200, headers } = page
      const always = { ...apiHeaders(newRequestId()), ...privateHeaders, Vary: vary, ...headers }
      if (prefersJson(req.headers.accept)) {
        const body = JSON.stringify({ data: pageInEnglish(page) })
        return send(res, status, { ...always, 'Content-Type': 'application/json' }, body)
      }
      const sheet = sheetOf(page)
      const html = render(sheet, theme(), languageOf(req))
      send(res, status, { ...pageHeaders(sheet.art), ...always }, html)
    },
  }
  return sender
}

/** A picture of a plugin may come from the same host; any other is in the page itself. */
function policyFor(art: VisitorPage['art'], { contentSecurityPolicy }: PageTheme): string {
  const isLoaded = typeof art === 'object' && art.src.startsWith('/')
  return isLoaded
    ? contentSecurityPolicy.replace('img-src ', "img-src 'self' ")
    : contentSecurityPolicy
}

/** Whether a client wants JSON rather than a page: `Accept`, RFC 9110, section 12.5.1. */
function prefersJson(accept = ''): boolean {
  // Most clients do not name JSON.
  if (!/json/i.test(accept)) return false
  const ranges = weighted(accept.toLowerCase())
  const most = (...types: readonly string[]) =>
    Math.max(...ranges.filter(it => types.includes(it.value)).map(it => it.weight), 0)
  return most('application/json', 'application/problem+json') > most('text/html')
}

/** A page as it goes over the wire, without the headers that are new in each answer. */
interface ReadyPage {
  /** Status line and headers. */
  readonly head: string
  /** One for all answers: a text would be copied behind the head of each. */
  readonly body: Buffer
}

/** Prepares an answer with these raw headers. */
function makeReady(status: number, headers: readonly string[], html: string): ReadyPage {
  const body = Buffer.from(html)
  const lines = linesOf([...headers, 'Content-Length', String(body.length)])
  return { head: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`, body }
}

/** Returns false, with nothing done, if this answer needs other headers than most. */
function sendReady(
  res: ServerResponse,
  status: number,
  { head, body }: ReadyPage,
  requestId: string,
): boolean {
  if (!takeHead(res, status, `${head}X-Request-Id: ${requestId}\r\n`)) return false
  res.end(body)
  return true
}

/** What following a link answers if there is no redirect, each time with a new request id. */
export function createVisitorPages(sender: PageSender, log: Log): VisitorPages {
  return {
    notFound: headers => sender.readyPage(notFoundPage, headers),
    methodNotAllowed: (req, res, allow) =>
      sender.page(req, res, { ...methodNotAllowedPage, headers: { Allow: allow } }),
    stopped(req, res, outcome, pass = '') {
      const page = outcome.kind === 'ask' ? askPage(outcome, pass) : refusedPage(outcome)
      sender.page(req, res, page)
    },
    shown: sender.shown,
    failed(req, res, error) {
      if (error instanceof Overloaded) return sender.page(req, res, refusedPage(overloaded))
      const requestId = newRequestId()
      log.error('A link could not be followed', { requestId, error })
      sender.page(req, res, pageOfFailure(error), requestId)
    },
  }
}
