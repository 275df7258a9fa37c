export type Granularity = 'hour' | 'day' | 'week' | 'month'

const msAnHour = 3_600_000
const hoursADay = 24

/** The hour, since 1970 UTC, that a moment in milliseconds falls in. */
export function hourOf(at: number): number {
  return Math.floor(at / msAnHour)
}

/** When an hour starts, as ISO 8601 UTC. */
export function startOf(hour: number): string {
  return new Date(hour * msAnHour).toISOString()
}

/** The first hour of the bucket that an hour is in. Weeks start on Monday, as in ISO 8601. */
export function bucketOf(hour: number, granularity: Granularity): number {
  const day = Math.floor(hour / hoursADay)
  switch (granularity) {
    case 'hour':
      return hour
    case 'day':
      return day * hoursADay
    case 'week':
      // 1970-01-01 was a Thursday.
      return (day - ((day + 3) % 7)) * hoursADay
    case 'month':
      return firstOfMonth(hour, 0)
  }
}

/** The first hour of the bucket after the one that starts at `bucket`. */
export function nextBucket(bucket: number, granularity: Granularity): number {
  switch (granularity) {
    case 'hour':
      return bucket + 1
    case 'day':
      return bucket + hoursADay
    case 'week':
      return bucket + 7 * hoursADay
    case 'month':
      return firstOfMonth(bucket, 1)
  }
}

function firstOfMonth(hour: number, monthsLater: number): number {
  const date = new Date(hour * msAnHour)
  return hourOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater))
}
