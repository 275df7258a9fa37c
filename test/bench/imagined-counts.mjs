import { placeBy, popularity } from './chance.mjs'

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
 * visits: most of them soon after it was made, some day of the last year. `random` is a chance.
 */
export function template(visits, { nowHour, idOf, random }) {
  const buckets = spread(visits, nowHour, random)
  const rows = []
  for (const [name, values, part] of dimensions) {
    const dimension = idOf(name)
    const chances = popularity(values)
    const names = values === 1 ? [idOf('')] : chances.map((_, at) => idOf(`${name} ${at + 1}`))
    for (const [bucket, count] of buckets) {
      for (const [value, seen] of draw(count * part, chances, random)) {
        rows.push([dimension, bucket, names[value], seen])
      }
    }
  }
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
  return Int32Array.from(rows.flat())
}

/** Visits by bucket: the hours of the last days of UTC, as far as they are over, and the noon of those before. */
function spread(visits, nowHour, random) {
  const begun = Math.ceil(random() * days)
  const weights = Array.from({ length: begun }, (_, age) => 0.5 ** (age / halfLifeDays) + 0.02)
  const scale = visits / weights.reduce((sum, it) => sum + it, 0)
  const today = Math.floor(nowHour / 24)
  const buckets = []
  weights.forEach((weight, age) => {
    const daysAgo = begun - 1 - age
    const count = weight * scale
    const midnight = (today - daysAgo) * 24
    if (daysAgo > hourlyDays) {
      if (atLeastNone(count, random) > 0) buckets.push([midnight + 12, Math.max(1, count)])
      return
    }
    for (let hour = midnight; hour < midnight + 24 && hour <= nowHour; hour += 1) {
      const seen = atLeastNone(count / 24, random)
      if (seen > 0) buckets.push([hour, seen])
    }
  })
  return buckets
}

/** Which values so many visits have: one by one where they are few, by expectation where they are many. */
function draw(count, chances, random) {
  const seen = new Map()
  if (count < chances.length * 5) {
    for (let left = atLeastNone(count, random); left > 0; left -= 1) {
      const value = placeBy(chances, random)
      seen.set(value, (seen.get(value) ?? 0) + 1)
    }
    return seen
  }
  let before = 0
  chances.forEach((upTo, value) => {
    const visits = atLeastNone(count * (upTo - before), random)
    if (visits > 0) seen.set(value, visits)
    before = upTo
  })
  return seen
}

/** A whole number that is right on average. */
function atLeastNone(expected, random) {
  return Math.floor(expected + random())
}
