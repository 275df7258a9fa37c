import { Temporal } from 'temporal-polyfill'
import { field, z } from '../../../../core/plugin.ts'
import { quoted } from './texts.ts'

/**
 * The moment that a text of another program names; undefined if nobody can tell which one that is, such as `03/04/2024`. A number
 * is seconds or milliseconds since 1970. What names no time zone is read in `zone`.
 *
 * @example
 * readMoment('2020-10-26 17:20', 'Europe/Berlin') // 2020-10-26T16:20:00.000Z
 */
export function readMoment(text: string, zone: string): Date | undefined {
  const trimmed = text.trim()
  // No date is longer, and some expressions take long for what is no date.
  if (trimmed.length > 100) return undefined
  const said = trimmed.replace(/ \(.*\)$/, '')
  if (/^\d{9,13}(\.\d+)?$/.test(said)) return sinceEpoch(Number(said))
  const found = forms.map(form => form.exec(said)?.groups).find(it => it !== undefined)
  return found && momentOf(found, zone)
}

/** The moment when a link was made or changed; what is there and names none is said in `changes`. */
export function readPast(
  text: string | null | undefined,
  zone: string,
  changes: string[],
): Date | undefined {
  const moment = text ? readMoment(text, zone) : undefined
  if (text && !moment) changes.push(`The date ${quoted(text)} does not come along: it is none.`)
  return moment
}

/** From when to when a link leads on. One that nobody can tell closes it, which `changes` says: it must not lead on for ever. */
export function readBounds(
  { startsAt, expiresAt }: Readonly<Record<'startsAt' | 'expiresAt', string | null | undefined>>,
  zone: string,
  changes: string[],
): { readonly fields: Readonly<Record<string, string>>; readonly isClosed: boolean } {
  const fields: Record<string, string> = {}
  let isClosed = false
  for (const [name, what, text] of [
    ['startsAt', 'beginning', startsAt],
    ['expiresAt', 'end', expiresAt],
  ] as const) {
    if (!text) continue
    const moment = readMoment(text, zone)
    if (moment) fields[name] = moment.toISOString()
    else {
      isClosed = true
      changes.push(`It has ended here, because its ${what}, ${quoted(text)}, is no date.`)
    }
  }
  return { fields, isClosed }
}

/** A time zone of the IANA database, in which a source's dates without one are. */
export function zoneField(hint: string) {
  const sentence = 'Must be a time zone by its name, such as Europe/Berlin.'
  return field(z.string().refine(isZone, sentence), {
    ...{ label: 'Time zone', hint, control: 'text', default: 'UTC' },
  })
}

const time =
  '(?:(?:T|,? +)(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<part>\\d{1,9}))?)?(?: ?(?<half>[AP])M)?)?'
const offset = '(?: ?(?:(?:UTC|GMT)?(?<offset>[+-]\\d\\d(?::?\\d\\d)?)|(?<utc>Z|UTC|GMT)))?'
const month = '(?<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const weekday = '(?:[A-Z][a-z]+,? )?'

/** Day and month in an order that everybody reads alike. */
const forms = [
  '(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})',
  '(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})',
  `${weekday}${month}\\.? (?<day>\\d{1,2}),? (?<year>\\d{4})`,
  `${weekday}(?<day>\\d{1,2})[ -]${month}\\.?,?[ -](?<year>\\d{4})`,
].map(day => new RegExp(`^${day}${time}${offset}$`, 'i'))

const monthNames = [
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun'],
  ...['jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
]

/** Seconds have ten digits from 2001 to 2286, milliseconds have thirteen. */
function sinceEpoch(count: number): Date {
  return new Date(Math.round(count < 1e11 ? count * 1000 : count))
}

function momentOf(
  said: Readonly<Record<string, string | undefined>>,
  zone: string,
): Date | undefined {
  const half = said.half?.toUpperCase()
  const clock = Number(said.hour ?? 0)
  if (half !== undefined && (clock < 1 || clock > 12)) return undefined
  const numbers = {
    year: Number(said.year),
    month: said.name ? monthNames.indexOf(said.name.toLowerCase()) + 1 : Number(said.month),
    day: Number(said.day),
    hour: half === undefined ? clock : (clock % 12) + (half === 'P' ? 12 : 0),
    minute: Number(said.minute ?? 0),
    second: Number(said.second ?? 0),
    millisecond: Math.trunc(Number(`0.${said.part ?? 0}`) * 1_000),
  }
  try {
    // Refuses the 31st of April, and what no zone has.
    const shown = Temporal.PlainDateTime.from(numbers, { overflow: 'reject' })
    const moment = shown.toZonedDateTime(said.utc ? 'UTC' : (said.offset ?? zone))
    return new Date(moment.epochMilliseconds)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isZone(name: string): boolean {
  // Temporal takes +02:00, too, which knows no summer.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Temporal.PlainDate.from('2000-01-01').toZonedDateTime(name)
    return true
  } catch {
    return false
  }
}
