/** Print what was measured, and whether it is what we promise. */
export function printReport(rows) {
  const [raw, plain, every] = rows
  console.table(Object.fromEntries(rows.map(row => [row.name, cells(row, raw)])))

  const againstRaw = ratio(plain, raw)
  const againstPlain = ratio(every, plain)
  say(againstRaw >= 0.75, `plain link / raw node:http: ${againstRaw.toFixed(2)}, promised 0.75`)
  say(
    againstPlain >= 0.97,
    `every plugin on (${every.plugins}) / few (${plain.plugins}): ${againstPlain.toFixed(2)}, promised 1`,
  )
  for (const row of rows.filter(({ counted }) => counted !== undefined)) {
    say(
      row.firstRedirectMs < 1000,
      `${row.name}: first redirect after ${row.firstRedirectMs.toFixed(0)} ms, promised 1000`,
    )
    say(
      row.idleMegabytes < 100,
      `${row.name}: ${row.idleMegabytes.toFixed(0)} MB when idle, promised 100`,
    )
    say(
      row.counted === row.redirects,
      `${row.name}: ${row.counted} visits counted of ${row.redirects} redirects`,
    )
  }
}

function cells(row, raw) {
  return {
    'requests/s': Math.round(median(row.rounds.map(({ perSecond }) => perSecond))),
    'p50 ms': round(median(row.rounds.map(({ p50 }) => p50))),
    'p99 ms': round(median(row.rounds.map(({ p99 }) => p99))),
    'CPU µs': round(median(row.rounds.map(it => it.processorMicroseconds))),
    'of raw': round(ratio(row, raw)),
    'idle MB': Math.round(row.idleMegabytes),
    'after MB': Math.round(row.busyMegabytes),
  }
}

/** The median of the ratios round by round: what slows the machine down slows both. */
function ratio(one, other) {
  return median(one.rounds.map(({ perSecond }, round) => perSecond / other.rounds[round].perSecond))
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2
}

function round(number) {
  return Math.round(number * 100) / 100
}

function say(holds, sentence) {
  console.log(`${holds ? 'ok  ' : 'MISS'} ${sentence}`)
}
