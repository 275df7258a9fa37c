import { type PageLanguage, wordsOf } from './words.ts'

const [width, height] = [900, 220]
/** Space for the numbers above, beside and below the line. */
const [top, left, bottom] = [16, 8, 28]

/** Draws visits over time as SVG. Each point has a title, which is shown on hover. */
export function drawLine(
  points: readonly { readonly start: string; readonly visits: number }[],
  language: PageLanguage,
) {
  const number = new Intl.NumberFormat(language)
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const nameOf = (start: string) => moment.format(new Date(start))
  const { visits: said } = wordsOf(language)
  const most = Math.max(1, ...points.map(({ visits }) => visits))
  const step = (width - left * 2) / Math.max(points.length - 1, 1)
  const x = (index: number) => (left + index * step).toFixed(1)
  const y = (visits: number) =>
    (height - bottom - (visits / most) * (height - top - bottom)).toFixed(1)
  const line = points.map(({ visits }, index) => `${x(index)},${y(visits)}`).join(' ')
  const hits = points.map(
    ({ start, visits }, index) =>
      `<rect x="${(left + (index - 0.5) * step).toFixed(1)}" y="0" width="${step.toFixed(1)}" height="${height}"><title>${nameOf(start)}: ${number.format(visits)}</title></rect>`,
  )
  const ends = [points[0], points.at(-1)].map(point => (point ? nameOf(point.start) : ''))
  const sum = points.reduce((all, { visits }) => all + visits, 0)
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}: ${number.format(sum)}">
<line x1="0" x2="${width}" y1="${top}" y2="${top}"/><line x1="0" x2="${width}" y1="${height - bottom}" y2="${height - bottom}"/>
<polygon points="${left},${height - bottom} ${line} ${x(points.length - 1)},${height - bottom}"/>
<polyline points="${line}"/>
<text x="${left}" y="${top - 4}">${number.format(most)}</text>
<text x="${left}" y="${height - 8}">${ends[0]}</text><text x="${width - left}" y="${height - 8}" text-anchor="end">${ends[1]}</text>
${hits.join('')}</svg>`
}
