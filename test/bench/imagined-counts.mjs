/** What is counted, with how many values, and of what part of the visits. */
const dimensions = [
  ['visits', 1, 1],
  ['bots', 1, 0.1],
  ['visitsOverTime', 1, 1],
  ['visitsFromQrCodes', 1, 0.05],
  ['visitsByBrowser', 12, 1],
  ['visitsByOperatingSystem', 8, 1],
  ['visitsByDeviceType', 4, 1],
  ['visitsByLanguage', 60, 1],
  ['visitsByCountry', 120, 1],
  ['visitsByReferer', 1_000, 0.6],
]
const days = 365
const hourlyDays = 60
/** Half of what a link gets comes within so many days. */
const halfLifeDays = 10

/**
 * Rows of (dimension, bucket, value, count), in the order of the key, of a link with about so many
 * visits: most of them soon after it was made, some day of the last year.
 */
export function template(visits, nowHour, idOf) {
  const buckets = spread(visits, nowHour)
  const rows = []
  for (const [name, values, part] of dimensions) {
    const dimension = idOf(name)
    const chances = popularity(values)
    const names = values === 1 ? [idOf('')] : chances.map((_, at) => idOf(`${name} ${at + 1}`))
    for (const [bucket, count] of buckets) {
      for (const [value, seen] of draw(count * part, chances)) {
        rows.push([dimension, bucket, names[value], seen])
      }
    }
  }
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
  return Int32Array.from(rows.flat())
}

/** Visits by bucket: hours of the last days, the noon of the days before. */
function spread(visits, nowHour) {
  const begun = Math.random() * days
  const weights = Array.from(
    { length: Math.ceil(begun) },
    (_, age) => 0.5 ** (age / halfLifeDays) + 0.02,
  )
  const scale = visits / weights.reduce((sum, it) => sum + it, 0)
  const buckets = []
  weights.forEach((weight, age) => {
    const daysAgo = Math.ceil(begun) - 1 - age
    const count = weight * scale
    if (daysAgo >= hourlyDays) {
      const noon = Math.floor(nowHour / 24 - daysAgo) * 24 + 12
      if (atLeastNone(count) > 0) buckets.push([noon, Math.max(1, count)])
      return
    }
    for (let hour = 0; hour < 24; hour += 1) {
      const seen = atLeastNone(count / 24)
      if (seen > 0) buckets.push([nowHour - daysAgo * 24 - hour, seen])
    }
  })
  return buckets
}

/** Which values so many visits have: one by one where they are few, by expectation where they are many. */
function draw(count, chances) {
  const seen = new Map()
  if (count < chances.length * 5) {
    for (let left = atLeastNone(count); left > 0; left -= 1) {
      const value = pick(chances)
      seen.set(value, (seen.get(value) ?? 0) + 1)
    }
    return seen
  }
  let before = 0
  chances.forEach((upTo, value) => {
    const visits = atLeastNone(count * (upTo - before))
    if (visits > 0) seen.set(value, visits)
    before = upTo
  })
  return seen
}

/** A whole number that is right on average. */
function atLeastNone(expected) {
  return Math.floor(expected + Math.random())
}

const known = new Map()

/** Chances of values by 1/rank, added up. */
function popularity(values) {
  if (known.has(values)) return known.get(values)
  let sum = 0
  const sums = Array.from({ length: values }, (_, at) => (sum += 1 / (at + 1)))
  const chances = sums.map(it => it / sum)
  known.set(values, chances)
  return chances
}

function pick(chances) {
  const at = Math.random()
  let low = 0
  let high = chances.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (chances[middle] < at) low = middle + 1
    else high = middle
  }
  return low
}
