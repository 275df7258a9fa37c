import { placeBy, popularity } from './chance.mjs'

/** The dimensions, each with its number of values and the share of visits that it counts. */
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
/** Half of a link's visits come within this many days. */
const halfLifeDays = 10

/**
 * Rows of (dimension, bucket, value, count), in the order of the primary key, for a link with about `visits`
 * visits. Most of them come soon after the link was created, on some day of the last year. `random` is a
 * generator of `chance`.
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

/** Visits by bucket: recent days by the hour in UTC, up to now, and earlier days in one bucket at noon. */
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

/** The values that `count` visits have: drawn one by one if they are few, by expectation if they are many. */
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

/** A random integer that equals the expected number on average. */
function atLeastNone(expected, random) {
  return Math.floor(expected + random())
}
