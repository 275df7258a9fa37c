import { momentSchema, remember, type Visit, z } from '../../../core/plugin.ts'

const sentence =
  'Enter a daily window, such as 22:00-06:00 or "22:00-06:00 Europe/Berlin", or two moments in order, such as ["2026-12-01T00:00:00Z", "2026-12-24T18:00:00Z"].'

const hour = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const dailyWindow = new RegExp(`^(${hour})-(${hour})(?: (\\S{1,50}))?$`)
const moment = momentSchema({ error: sentence })

/** A daily window, in UTC or in a time zone given by its IANA name, or the time between two moments. */
export const times = z.union(
  [
    z.string().regex(dailyWindow, { abort: true, error: sentence }).refine(isWindow, sentence),
    z.tuple([moment, moment]).refine(([from, to]) => msOf(from) < msOf(to), sentence),
  ],
  { error: sentence },
)

export type Times = z.output<typeof times>

/** The start is included, the end is not. `seen` returns the time as the condition compares it. */
export function compileTimes(value: Times): {
  isWithin(visit: Visit): boolean
  seen(visit: Visit): string
} {
  if (typeof value === 'string') return compileWindow(value)
  const [from, to] = value.map(msOf) as [number, number]
  return {
    isWithin: ({ at }) => from <= at.getTime() && at.getTime() < to,
    seen: ({ at }) => at.toISOString(),
  }
}

function compileWindow(window: string): ReturnType<typeof compileTimes> {
  const [, from = '', to = '', spelled = 'UTC'] = dailyWindow.exec(window) ?? []
  const zone = zoneNamed(spelled)
  const clock = clockIn(zone)
  return {
    isWithin({ at }) {
      const now = clock(at)
      return from < to ? from <= now && now < to : from <= now || now < to
    },
    seen: ({ at }) => `${clock(at)} ${zone}`,
  }
}

function isWindow(window: string): boolean {
  const [, from, to, zone = 'UTC'] = dailyWindow.exec(window) ?? []
  if (from === to) return false
  try {
    zoneNamed(zone)
    return true
  } catch {
    // No time zone has this name.
    return false
  }
}

/** Returns the canonical name of a time zone, in whatever case it is written. Throws if there is no such zone. */
function zoneNamed(spelled: string): string {
  return canonicalZone(spelled.toLowerCase())
}

const canonicalZone = remember(
  name => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
)

/**
 * Formats hours and minutes, such as 06:30, so that times can be compared as texts. Making a formatter takes a tenth
 * of a millisecond and 40 kB, so all links share one for each of the roughly four hundred zones. Formatting takes as long as
 * a plain redirect, so it is done once a minute, however many conditions of a link ask for it at each visit.
 */
const clockIn = remember(timeZone => {
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  let known = { ms: Number.NaN, time: '' }
  return (at: Date): string => {
    const ms = at.getTime() < wholeMinutes ? at.getTime() : at.getTime() - (at.getTime() % 60_000)
    if (known.ms !== ms) known = { ms, time: formatter.format(ms) }
    return known.time
  }
}, 500)

/** Liberia was the last to keep a time that was no whole minutes away from UTC. */
const wholeMinutes = Date.UTC(1972, 0, 8)

function msOf(moment: string): number {
  return new Date(moment).getTime()
}
