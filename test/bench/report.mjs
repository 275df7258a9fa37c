/** Print what was measured, and whether it is what we promise. */
export function printReport(rows) {
  const [raw, rawKept, totals, dimensions, everything] = rows
  console.table(Object.fromEntries(rows.map(row => [row.name, cells(row, raw, rawKept)])))

  for (const row of [totals, dimensions]) {
    const againstRaw = ratio(row, raw)
    say(againstRaw >= 0.75, `${row.name}: ${againstRaw.toFixed(2)} of raw; promised: 0.75`)
  }

  const felt = median(ratios(dimensions.calmRounds, raw.calmRounds, ({ p99 }) => p99))
  say(
    felt < 2,
    `at ease, p99 with every dimension is ${felt.toFixed(2)} times that of raw; promised: no flush is felt`,
  )

  const unused = everything.features.length - dimensions.features.length
  const cost = 1 - ratio(everything, dimensions)
  say(cost <= noise, `${unused} unused plugins cost ${percent(cost)}; promised: nothing measurable`)

  for (const row of [totals, dimensions, everything]) {
    const { name, firstRedirectMs, idleMebibytes, counted, redirects, cutOff } = row
    say(firstRedirectMs < 1000, `${name}: first redirect after ${Math.round(firstRedirectMs)} ms`)
    say(idleMebibytes < 100, `${name}: ${Math.round(idleMebibytes)} MiB when idle`)
    say(
      counted >= redirects && counted <= redirects + cutOff,
      `${name}: ${counted} visits counted of ${redirects} redirects, and up to ${cutOff} cut off`,
    )
  }
}

/** What two runs of one server differ by on a quiet machine. */
const noise = 0.03

function cells(row, raw, rawKept) {
  return {
    plugins: row.features?.length ?? 0,
    'requests/s': Math.round(median(row.rounds.map(({ perSecond }) => perSecond))),
    'of raw': round(ratio(row, raw)),
    'tick kept': round(ratio(row, rawKept)),
    'p50 ms': round(median(row.rounds.map(({ p50 }) => p50))),
    'p99 ms': round(median(row.rounds.map(({ p99 }) => p99))),
    'at ease p50': round(median(row.calmRounds.map(({ p50 }) => p50))),
    'at ease p99': round(median(row.calmRounds.map(({ p99 }) => p99))),
    'CPU µs': round(median(row.rounds.map(it => it.processorMicroseconds))),
    'idle MiB': Math.round(row.idleMebibytes),
    'after MiB': Math.round(row.busyMebibytes),
  }
}

/** The median of the ratios round by round: what slows the machine down slows both. */
function ratio(one, other) {
  return median(ratios(one.rounds, other.rounds, ({ perSecond }) => perSecond))
}

function ratios(ones, others, figureOf) {
  return ones.map((one, round) => figureOf(one) / figureOf(others[round]))
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2
}

function round(number) {
  return Math.round(number * 100) / 100
}

function percent(part) {
  return `${(part * 100).toFixed(1)} %`
}

/** A line that begins with whether it is so. */
export function say(holds, sentence) {
  console.log(`${holds ? 'ok  ' : 'MISS'} ${sentence}`)
}
