import {
  type CountedDimension,
  type Numbers,
  type Presented,
  showHidden,
} from '../../../core/plugin.ts'
import { drawLine } from './draw-line.ts'
import { type NameValue, namesIn } from './name-values.ts'
import { type PageSpan, spans } from './spans.ts'
import { style } from './style.ts'
import { type PageLanguage, type Words, wordsOf } from './words.ts'

export interface PageFrame {
  /** The title that its owner chose, or a short URL that is public anyway; undefined if there is none. */
  readonly heading: string | undefined
  readonly interval: PageSpan
  readonly language: PageLanguage
  readonly brand: Presented
}

/** The names of routing rules are private to their owner. */
const ownNames = new Set(['visitsByRoutingRule'])

/** The words of a page, and its formats of numbers and days. */
interface Speech {
  readonly words: Words
  number(value: number): string
  percent(share: number): string
  day(moment: Date): string
  readonly nameOf: NameValue
}

function speak(language: PageLanguage): Speech {
  return {
    words: wordsOf(language),
    nameOf: namesIn(language),
    number: new Intl.NumberFormat(language).format,
    percent: new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format,
    day: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format,
  }
}

/** Draws a complete page of numbers, without a script. */
export function drawPage(
  numbers: Numbers,
  { heading, interval, language, brand }: PageFrame,
): string {
  const { from, to, dimensions } = numbers
  const speech = speak(language)
  const { words, day } = speech
  const title = safe(heading ?? words.visits)
  const last = new Date(to.getTime() - 1)
  const shown = dimensions
    .filter(({ name }) => !ownNames.has(name))
    .map(dimension => ({ ...dimension, label: words.labels[dimension.name] ?? dimension.label }))
  const lines = shown.filter(({ chart, points }) => chart === 'line' && points !== undefined)
  const tables = shown.filter(({ values = [] }) => values.some(({ value }) => value !== '(none)'))
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}${brand.name === null ? '' : ` · ${safe(brand.name)}`}</title>
<style>${style}${accentOf(brand)}</style>
</head>
<body>
<main>
${brandOf(brand)}<h1>${title}</h1>
<p class="lead">${day(from)} – ${day(last)}, ${words.days}</p>
<nav aria-label="${words.period}">${spans.map(span => spanLink(span, interval, words)).join('')}</nav>
<dl>${tiles(numbers, shown, speech).join('')}</dl>
${lines.map(({ label, points = [] }) => card(label, drawLine(points, language))).join('')}
<div class="tables">${tables.map(it => table(it, speech)).join('')}</div>
<p class="foot">${words.foot}</p>
</main>
</body>
</html>
`
}

function brandOf({ name, logo }: Presented): string {
  if (logo !== null) {
    return `<p class="brand"><img src="${safe(logo)}" alt="${safe(name ?? '')}"></p>\n`
  }
  return name === null ? '' : `<p class="brand">${safe(name)}</p>\n`
}

/** Replaces our color with that of the brand. */
function accentOf({ accent }: Presented): string {
  if (accent === null) return ''
  const rule = (color: string) => `:root{--accent:${color};--bar:${color}22}`
  return `${rule(accent.light)}@media(prefers-color-scheme:dark){${rule(accent.dark)}}`
}

function spanLink(span: PageSpan, chosen: PageSpan, words: Words): string {
  const current = span === chosen ? ' aria-current="true"' : ''
  return `<a href="?interval=${span}"${current}>${words.spans[span]}</a>`
}

function tiles(
  { visits, visitsBefore, undated }: Numbers,
  dimensions: readonly CountedDimension[],
  { words, number }: Speech,
) {
  const notes = [
    ...(visitsBefore === null ? [] : [words.previously.replace('{}', number(visitsBefore))]),
    ...(undated === 0 ? [] : [words.undated.replace('{}', number(undated))]),
  ]
  const others = dimensions.filter(
    ({ name, total }) => total !== undefined && name !== 'visits' && name !== 'bots',
  )
  return [
    tile(words.visits, number(visits), notes.join(', ')),
    ...others.map(({ label, total = 0 }) => tile(label, number(total), '')),
  ]
}

function tile(label: string, value: string, note: string): string {
  return `<div><dt>${safe(label)}</dt><dd>${value}</dd><dd class="note">${note}</dd></div>`
}

function table({ name, label, values = [] }: CountedDimension, speech: Speech): string {
  const { words, number, percent, nameOf } = speech
  const widest = Math.max(...values.map(({ share }) => share))
  const rows = values.map(
    row =>
      `<tr><th scope="row"><span style="width:${((row.share / widest) * 100).toFixed(1)}%"></span><b>${safe(nameOf(name, row))}</b></th><td>${number(row.visits)}</td><td>${percent(row.share)}</td></tr>`,
  )
  const head = `<thead><tr><td></td><th scope="col">${words.visits}</th><th scope="col">${words.share}</th></tr></thead>`
  return card(label, `<table>${head}<tbody>${rows.join('')}</tbody></table>`)
}

function card(heading: string, content: string): string {
  return `<section><h2>${safe(heading)}</h2>${content}</section>`
}

function safe(text: string): string {
  return showHidden(text).replace(/[<>&"]/g, letter => `&#${letter.charCodeAt(0)};`)
}
