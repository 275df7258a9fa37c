import { type Ask, type Input, type Refusal, refuse, type View } from '../outcomes.ts'
import { escapeHtml } from './escape-html.ts'
import { type Art, draw } from './page-art.ts'
import { pageStyle } from './page-style.ts'
import type { Rejection } from './problem.ts'
import type { Headers } from './send.ts'

/** What a visitor sees when a link does not lead on; programs get the refusal. */
export interface Page {
  readonly refusal: Rejection
  readonly html: string
  readonly headers?: Headers
}

interface Face {
  readonly heading: string
  readonly art: Art
}

const closed: Face = { heading: 'This link is closed to you', art: 'locked' }

const faces: Readonly<Record<number, Face>> = {
  404: { heading: 'No link here', art: 'broken' },
  405: { heading: 'That does not work here', art: 'broken' },
  410: { heading: 'This link is over', art: 'faded' },
  429: { heading: 'A moment, please', art: 'waiting' },
  451: { heading: 'This link is blocked', art: 'locked' },
  500: { heading: 'Something went wrong', art: 'broken' },
  503: { heading: 'Not right now', art: 'waiting' },
}

/** Turned away: the refusal's sentence under a heading that its status gives. */
export function refusedPage(refusal: Refusal): Page {
  const { heading, art } = faces[refusal.status] ?? closed
  return { refusal, html: layout(heading, art, `<p>${escapeHtml(refusal.detail)}</p>`) }
}

/** A form; the answers are posted to the same address and query, with `pass` beside them. */
export function askPage(ask: Ask, pass: string): Page {
  const wrong = ask.problem !== undefined
  const problem = wrong
    ? `<p class="problem" id="problem" role="alert">${escapeHtml(ask.problem)}</p>`
    : ''
  const form = `${problem}<form method="post">
<input type="hidden" name="pass" value="${escapeHtml(pass)}">
${ask.inputs.map((input, index) => question(input, index === 0, wrong)).join('\n')}
<button type="submit">Continue</button>
</form>`
  return { refusal: unanswered(ask), html: layout(ask.title, 'locked', form) }
}

/** Facts about a link, and the way on; the site that it leads to does not learn of this page. */
export function viewPage({ heading, rows, link }: View): string {
  const facts = rows.map(
    ({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  )
  const content = `<dl>
${facts.join('\n')}
</dl>
<a class="on" href="${escapeHtml(link.url)}" rel="noreferrer">${escapeHtml(link.label)}</a>`
  return layout(heading, 'whole', content)
}

/** No link has this code. */
export const notFoundPage = refusedPage(
  refuse(
    'not_found',
    'Nothing leads on from this address. It may be mistyped, or the link was taken away.',
    404,
  ),
)

/** A bug, on any path that visitors take. */
export const failedPage = refusedPage(
  refuse('internal', 'This is our fault, not yours. Please try again in a minute.', 500),
)

/** Another method than those that `Allow`, which whoever answers adds, has. */
export const methodNotAllowedPage = refusedPage(
  refuse('method_not_allowed', 'A link can be opened, and nothing else.', 405),
)

/** The same question for a program: which answers are wanted. */
function unanswered({ title, inputs, problem }: Ask): Rejection {
  const wanted = inputs.map(it => ({ field: it.name, code: 'required', message: `${it.label}.` }))
  return { ...refuse('answer_needed', problem ?? `${title}.`, 403), errors: wanted }
}

function question({ name, label, type }: Input, isFirst: boolean, wrong: boolean): string {
  const hints = type === 'password' ? 'autocomplete="off"' : 'autocomplete="on"'
  const blame = wrong ? ' aria-invalid="true" aria-describedby="problem"' : ''
  const focus = isFirst ? ' autofocus' : ''
  return `<label>${escapeHtml(label)}<input name="${escapeHtml(name)}" type="${escapeHtml(type)}" ${hints} required${focus}${blame}></label>`
}

function layout(heading: string, art: Art, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(heading)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<main>
${draw(art)}
<h1>${escapeHtml(heading)}</h1>
${content}
</main>
</body>
</html>
`
}
