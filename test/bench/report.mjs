import { raw, rawKept } from './variants.mjs'

/** Prints the results of a part as a Markdown table, and whether they meet its goals. */
export function printPart({ title, columns, goals }, measured) {
  const shown = columns.filter(column => measured.some(row => cell(row, column, measured) !== ''))
  const rows = measured.map(row => [row.name, ...shown.map(it => cell(row, it, measured))])
  console.log(`### ${title}\n\n${markdownTable(['', ...shown], rows)}`)
  for (const goal of goals) {
    const row = measured.find(({ name }) => name === goal.row)
    const found = row ? cell(row, goal.column, measured) : ''
    if (found === '') continue
    const { row: name, column, atLeast = -Infinity, atMost = Infinity } = goal
    const wanted = goal.atLeast ? `${atLeast} or more` : `${atMost} or less`
    say(found >= atLeast && found <= atMost, `${name}, ${column}: ${found}; wanted: ${wanted}`)
  }
  for (const { name, dropped, visits } of measured) {
    if (dropped > 0)
      say(false, `${name}: ${dropped} of ${visits} visits were dropped; promised: none`)
  }
  console.log()
}

export function markdownTable(head, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return `${[head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map(line).join('\n')}\n`
}

/** What each column shows of a row; `named` returns another row to compare it with. */
const figures = {
  'requests/s': row => Math.round(middle(row, 'perSecond')),
  'of raw': (row, named) => ratio(row, named(raw), 'perSecond'),
  'of raw, tick kept': (row, named) => ratio(row, named(rawKept), 'perSecond'),
  'of before': (row, named) => ratio(row, named(beforeOf(row.name)), 'perSecond'),
  'links/s': row => Math.round(middle(row, 'perSecond') * row.load.linksEach),
  'p50 ms': row => round(middle(row, 'p50')),
  'p99 ms': row => round(middle(row, 'p99')),
  'p99 of raw': (row, named) => ratio(row, named(raw), 'p99'),
  'CPU µs': row => round(middle(row, 'processorMicroseconds')),
  'CPU of raw': (row, named) => ratio(row, named(raw), 'processorMicroseconds'),
  'folded after s': row => (row.countsVisits ? round(middle(row, 'foldedMs') / 1000) : ''),
  'bytes a visit': row => (row.countsVisits ? round(row.bytesPerVisit) : ''),
  'first redirect ms': row => (row.firstRedirectMs ? Math.round(row.firstRedirectMs) : ''),
  'MiB at first': row => Math.round(middle(row, 'mostAtFirst')),
  'MiB later': row => Math.round(middle(row, 'mostLater')),
  'MiB grown': row => Math.round(middle(row, 'mostLater') - middle(row, 'mostAtFirst')),
  MiB: row => Math.round(row.mebibytes),
  'MiB after': row => Math.round(row.mebibytes),
}

function cell(row, column, rows) {
  return figures[column](row, name => rows.find(it => it.name === name && it !== row))
}

/** The row of the same variant with the other build. */
export function beforeOf(name) {
  return `${name}, before`
}

/** The median of the ratios of each round: a slow moment of the machine affects both. */
function ratio(one, other, figure) {
  if (!other) return ''
  return round(median(one.rounds.map((found, at) => found[figure] / other.rounds[at][figure])))
}

function middle({ rounds }, figure) {
  return median(rounds.map(found => found[figure]))
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2
}

function round(number) {
  return Math.round(number * 100) / 100
}

/** Prints a line that begins with whether a goal is met. */
export function say(holds, sentence) {
  console.log(`- ${holds ? 'ok' : 'MISS'}: ${sentence}`)
}
