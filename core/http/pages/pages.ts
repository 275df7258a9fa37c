import { escapeHtml } from '../../lib/text/shown.ts'
import type { PageContent, Page as PluginPage } from '../../plugin/answers/page.ts'
import { inEnglish, type VisitorText } from '../../plugin/answers/visitor-text.ts'
import { type Ask, type Input, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'
import type { Rejection } from '../send/problem.ts'
import type { Headers } from '../send/send.ts'
import { english, type PageLanguage } from './choose-language.ts'
import { pageTexts } from './page-texts.ts'
import type { PageTheme } from './page-theme.ts'

interface Face {
  readonly heading: VisitorText
  readonly art: Art | NonNullable<PluginPage['image']>
}

/** What a page says, whatever it looks like. */
export interface Sheet extends Face {
  /** More of its head, as HTML. */
  readonly head?: string
  /** HTML. */
  content(language: PageLanguage): string
}

/** What a visitor sees when a link does not lead on; programs get the refusal. */
export interface VisitorPage extends Sheet {
  readonly refusal: Rejection
  /** What visitors get. Default: that of the refusal. */
  readonly status?: number
  readonly headers?: Headers
}

const { headings } = pageTexts

const closed: Face = { heading: headings.closed, art: 'locked' }

const faces: Readonly<Record<number, Face>> = {
  404: { heading: headings.notFound, art: 'broken' },
  405: { heading: headings.notAllowed, art: 'broken' },
  410: { heading: headings.ended, art: 'faded' },
  421: { heading: headings.unknownHost, art: 'broken' },
  429: { heading: headings.moment, art: 'waiting' },
  451: { heading: headings.blocked, art: 'locked' },
  500: { heading: headings.failed, art: 'broken' },
  503: { heading: headings.notNow, art: 'waiting' },
}

/** For refusals whose code tells more than their status. */
const facesByCode: ReadonlyMap<string, Face> = new Map([
  ['not_started', { heading: headings.tooEarly, art: 'waiting' }],
  ['not_shown', { heading: headings.noPreview, art: 'locked' }],
])

/** What may be over in a minute. Reloading the page would send a form again; a link does not. */
const passing: ReadonlySet<number> = new Set([429, 500, 503])

/** The page of a refusal: its sentence, under a heading for its status. */
export function refusedPage(refusal: Refusal): VisitorPage {
  return {
    refusal,
    ...faceOf(refusal),
    content(language) {
      const again = `\n<a class="again" href="">${written(pageTexts.tryAgain, language)}</a>`
      const sentence = written(refusal.texts ?? refusal.detail, language)
      return `<p>${sentence}</p>${passing.has(refusal.status) ? again : ''}`
    },
  }
}

function faceOf({ code, status }: Refusal): Face {
  return facesByCode.get(code) ?? faces[status] ?? closed
}

/** A form; the answers are posted to the same address and query, with `pass` beside them. */
export function askPage(ask: Ask, pass: string): VisitorPage {
  const { inputs, problem } = ask
  const art = ask.image ?? (inputs.length > 0 ? 'locked' : 'whole')
  return {
    refusal: unanswered(ask),
    heading: ask.title,
    art,
    content(language) {
      const said = saidOn(ask, language)
      const blame =
        problem === undefined
          ? ''
          : `<p class="problem" id="problem" role="alert">${written(problem, language)}</p>`
      const isWrong = problem !== undefined
      const questions = inputs.map((it, index) => question(it, language, index === 0, isWrong))
      return `${said === '' ? '' : `${said}\n`}${blame}<form method="post">
<input type="hidden" name="pass" value="${escapeHtml(pass)}">
${questions.join('\n')}
<button type="submit" name="continue" value="yes">${written(pageTexts.goOn, language)}</button>
</form>`
    },
  }
}

/** The same where no link is closed: a page that asks something, which nobody has answered yet or not well. */
export function formPage(ask: Ask): VisitorPage {
  return { ...askPage(ask, ''), status: ask.problem === undefined ? 200 : 422 }
}

/** What a plugin shows; the site that its button leads to does not learn of this page. */
export function sheetOf(page: PluginPage): Sheet {
  const { heading, image, link, status = 200 } = page
  return {
    heading,
    art: image ?? (status < 400 ? 'whole' : (faces[status]?.art ?? 'broken')),
    head: headOf(page),
    content(language) {
      const button =
        link &&
        `<a class="on" href="${escapeHtml(link.url)}" rel="noreferrer">${written(link.label, language)}</a>`
      return [saidOn(page, language), button].filter(Boolean).join('\n')
    },
  }
}

/** The paragraph and the facts of a page. */
function saidOn({ text, rows = [] }: PageContent, language: PageLanguage) {
  const paragraph = text === undefined ? '' : `<p>${written(text, language)}</p>`
  const facts = rows.map(
    ({ label, value }) =>
      `<div><dt>${written(label, language)}</dt><dd${scroll(inLanguage(value, language))}>${written(value, language)}</dd></div>`,
  )
  const list = facts.length === 0 ? '' : `<dl>\n${facts.join('\n')}\n</dl>`
  return [paragraph, list].filter(part => part !== '').join('\n')
}

/** Programs that show cards read the name of an element in one attribute or the other. */
function headOf({ meta = {}, wait, link }: PluginPage): string {
  const elements = Object.entries(meta).map(
    ([name, content]) =>
      `<meta name="${escapeHtml(name)}" property="${escapeHtml(name)}" content="${escapeHtml(content)}">\n`,
  )
  const isLeft = wait !== undefined && link !== undefined
  const leave = isLeft
    ? `<meta http-equiv="refresh" content="${wait}; url=${escapeHtml(link.url)}">\n`
    : ''
  return elements.join('') + leave
}

/** What a page of a plugin says, for a program. */
export function pageInEnglish({ heading, text, rows = [], link }: PluginPage) {
  return {
    heading: inEnglish(heading),
    ...(text !== undefined && { text: inEnglish(text) }),
    rows: rows.map(({ label, value }) => ({ label: inEnglish(label), value: inEnglish(value) })),
    ...(link && { link: { label: inEnglish(link.label), url: link.url } }),
  }
}

/** A long address must not push the way on out of sight. People without a mouse scroll it with the keyboard. */
function scroll(value: string): string {
  return value.length > 240 ? ' class="long" tabindex="0"' : ''
}

/** No link has this code. */
export const notFoundPage = refusedPage(refuse('not_found', pageTexts.noLink, 404))

/** A bug, on any path that visitors take. */
export const failedPage = refusedPage(refuse('internal', pageTexts.ourFault, 500))

/** The database is away or busy, or cannot be read. */
export const unavailablePage = refusedPage(
  refuse('unavailable', pageTexts.away, 503, undefined, { retryAfterSeconds: 5 }),
)

/** What visitors see of an unexpected error. */
export function pageOfFailure(error: unknown): VisitorPage {
  return isStorageTrouble(error) ? unavailablePage : failedPage
}

/** The method is not one of those in `Allow`, a header that the caller adds. */
export const methodNotAllowedPage = refusedPage(
  refuse('method_not_allowed', pageTexts.onlyOpened, 405),
)

/** RFC 9110, section 15.5.20: the request was sent to the wrong host. */
export const misdirectedPage = refusedPage(refuse('misdirected', pageTexts.misdirected, 421))

/** The same question for a program: which answers are wanted. */
function unanswered({ title, inputs, problem }: Ask): Rejection {
  const asked = inputs.length > 0 ? inputs : [{ name: 'continue', label: 'Say yes' }]
  const wanted = asked.map(it => ({
    field: it.name,
    code: 'required',
    message: `${inEnglish(it.label)}.`,
  }))
  const detail = problem === undefined ? `${inEnglish(title)}.` : inEnglish(problem)
  return { ...refuse('answer_needed', detail, 403), errors: wanted }
}

function question(
  { name, label, type }: Input,
  language: PageLanguage,
  isFirst: boolean,
  wrong: boolean,
): string {
  const blame = wrong ? ' aria-invalid="true" aria-describedby="problem"' : ''
  const focus = isFirst ? ' autofocus' : ''
  return `<label>${written(label, language)}<input name="${escapeHtml(name)}" type="${inputTypes[type]}" autocomplete="${autocomplete[type]}" required${focus}${blame}></label>`
}

/** A link's password is nobody's own: a browser that fills in one of the visitor's passwords would give it away. */
const autocomplete: Readonly<Record<Input['type'], string>> = {
  text: 'on',
  email: 'email',
  password: 'off',
  'new-password': 'new-password',
}

const inputTypes: Readonly<Record<Input['type'], string>> = {
  text: 'text',
  email: 'email',
  password: 'password',
  'new-password': 'password',
}

/** A text as HTML, marked if it is not in the language of the page. */
function written(text: VisitorText, language: PageLanguage): string {
  if (typeof text === 'string') return escapeHtml(text)
  const here = language.say(text)
  return here === undefined
    ? `<span lang="en"${inside(language)}>${escapeHtml(text.en)}</span>`
    : escapeHtml(here)
}

function inLanguage(text: VisitorText, language: PageLanguage): string {
  return typeof text === 'string' ? text : (language.say(text) ?? text.en)
}

/** English is read from left to right, whatever is around it. */
function inside({ dir }: PageLanguage): string {
  return dir === 'rtl' ? ' dir="ltr"' : ''
}

/** A page as HTML. */
export function render(
  { heading, art, head = '', content }: Sheet,
  theme: PageTheme,
  language: PageLanguage = english,
): string {
  const named = inLanguage(heading, language)
  const title = theme.name === null ? named : `${named} · ${theme.name}`
  return `<!doctype html>
<html lang="${language.lang}"${language.dir === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${theme.icon}">
<style>${theme.style}</style>
${head}</head>
<body>
${theme.header}
<main>
${typeof art === 'string' ? draw(art) : imageOf(art, language)}
<h1>${written(heading, language)}</h1>
${content(language)}
</main>
</body>
</html>
`
}

/** The pictures of pages: a link of a chain that is whole, broken, fading or waiting, and a padlock. */
type Art = 'whole' | 'broken' | 'faded' | 'waiting' | 'locked'

const left = 'M24 4H14a12 12 0 0 0 0 24h10'
const right = 'M38 4h10a12 12 0 0 1 0 24H38'

const drawings: Readonly<Record<Art, { readonly width: number; readonly lines: string }>> = {
  whole: {
    width: 62,
    lines: `<path d="${left}"/><path d="${right}"/><path class="warm" d="M20 16h22"/>`,
  },
  broken: {
    width: 74,
    lines: `<path d="${left}"/><path d="${right}" transform="translate(9 1) rotate(11 50 16)"/>
<path class="warm" d="M32 9l-1.5-6M38 8.500l2-5.500M32 23l-1.5 6M37.5 23.500l2 5.5"/>`,
  },
  faded: {
    width: 62,
    lines: `<path d="${left}"/><path d="M20 16h8"/><path class="warm" d="M33 16h9.5" stroke-dasharray="0 4.5"/>
<path d="${right}" stroke-dasharray="0 4.43"/>`,
  },
  waiting: {
    width: 62,
    lines: `<path d="${left}"/><path d="${right}"/><path class="warm" d="M22 16h18.5" stroke-dasharray="0 9"/>`,
  },
  locked: {
    width: 36,
    lines: `<rect x="3" y="13" width="28" height="21" rx="5"/><path d="M9 13V9a8 8 0 0 1 16 0v4"/>
<path class="warm" d="M17 21.5v4.5"/>`,
  },
}

function imageOf({ src, alt }: NonNullable<PluginPage['image']>, language: PageLanguage): string {
  return `<img class="image" src="${escapeHtml(src)}" alt="${escapeHtml(inLanguage(alt, language))}">`
}

/** A picture as inline SVG, hidden from screen readers. */
function draw(art: Art): string {
  const { width, lines } = drawings[art]
  return `<svg viewBox="0 -2 ${width} 40" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true">${lines}</svg>`
}
