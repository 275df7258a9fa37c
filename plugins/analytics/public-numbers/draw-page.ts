import type { CountedDimension, Numbers } from '../../../core/plugin.ts'
import { drawLine } from './draw-line.ts'
import { type PageSpan, spans } from './spans.ts'
import { style } from './style.ts'

export interface PageFrame {
  /** What its owner calls it, or a short URL that everybody may know; undefined: nothing. */
  readonly heading: string | undefined
  readonly interval: PageSpan
}

/** What rules of routing are called is their owner's own business. */
const ownNames = new Set(['visitsByRoutingRule'])

const names: Readonly<Record<PageSpan, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12mo': '12 months',
}

const number = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** A whole page of numbers, without a script. */
export function drawPage(numbers: Numbers, { heading = 'Visits', interval }: PageFrame): string {
  const { from, to, dimensions } = numbers
  const last = new Date(to.getTime() - 1)
  const shown = dimensions.filter(({ name }) => !ownNames.has(name))
  const lines = shown.filter(({ chart, points }) => chart === 'line' && points !== undefined)
  const tables = shown.filter(({ values = [] }) => values.some(({ value }) => value !== '(none)'))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${safe(heading)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${safe(heading)}</h1>
<p class="lead">${day.format(from)} – ${day.format(last)}, days of UTC</p>
<nav aria-label="Period">${spans.map(span => spanLink(span, interval)).join('')}</nav>
<dl>${tiles(numbers, shown).join('')}</dl>
${lines.map(({ label, points = [] }) => card(label, drawLine(points))).join('')}
<div class="tables">${tables.map(table).join('')}</div>
<p class="foot">Only sums are kept of visits, and nothing that tells who came.</p>
</main>
</body>
</html>
`
}

function spanLink(span: PageSpan, chosen: PageSpan): string {
  const current = span === chosen ? ' aria-current="true"' : ''
  return `<a href="?interval=${span}"${current}>${names[span]}</a>`
}

function tiles({ visits, visitsBefore }: Numbers, dimensions: readonly CountedDimension[]) {
  const was = visitsBefore === null ? '' : `previously ${number.format(visitsBefore)}`
  const others = dimensions.filter(
    ({ name, total }) => total !== undefined && name !== 'visits' && name !== 'bots',
  )
  return [
    tile('Visits', visits, was),
    ...others.map(({ label, total = 0 }) => tile(label, total, '')),
  ]
}

function tile(label: string, value: number, note: string): string {
  return `<div><dt>${safe(label)}</dt><dd>${number.format(value)}</dd><dd class="note">${note}</dd></div>`
}

function table({ label, values = [] }: CountedDimension): string {
  const widest = Math.max(...values.map(({ share }) => share))
  const rows = values.map(
    ({ label, visits, share }) =>
      `<tr><th scope="row"><span style="width:${((share / widest) * 100).toFixed(1)}%"></span><b>${safe(label)}</b></th><td>${number.format(visits)}</td><td>${percent.format(share)}</td></tr>`,
  )
  const head =
    '<thead><tr><td></td><th scope="col">Visits</th><th scope="col">Share</th></tr></thead>'
  return card(label, `<table>${head}<tbody>${rows.join('')}</tbody></table>`)
}

function card(heading: string, content: string): string {
  return `<section><h2>${safe(heading)}</h2>${content}</section>`
}

function safe(text: string): string {
  return text.replace(/[<>&"]/g, letter => `&#${letter.charCodeAt(0)};`)
}
