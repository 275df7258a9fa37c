import { locale } from '../../language/language.ts'
import { texts } from '../../texts.ts'

/** Numbers and dates in the current language and the time zone of the browser. */

const numbers = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const spans = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** `12,345` */
export const formatNumber = (value: number): string => numbers.format(value)

/** `12.3K` */
export const formatCompact = (value: number): string => compact.format(value)

/** `12.5 %` for a share from 0 to 1. */
export const formatShare = (share: number): string => percents.format(share)

/** `20 Nov 2026` */
export const formatDate = (iso: string): string => dates.format(new Date(iso))

/** `20 Nov 2026, 12:00` */
export const formatMoment = (iso: string): string => moments.format(new Date(iso))

/** `12:00` */
export const formatTime = (iso: string): string => times.format(new Date(iso))

/** A sentence of the server, with its moments (`2026-11-20T12:00:00Z`) and sizes (`958.5 kB`) as people write them here. */
export const withValuesOfHere = (sentence: string): string =>
  sentence
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatMoment)
    .replace(/\d+\.\d+(?= [kMGT]B\b)/g, it => formatNumber(Number(it)))

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/**
 * `3 hours ago`; `just now` within a minute, and the date after a week. A past event is never in the future: if
 * it seems so, the server's clock is ahead of ours.
 */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (now - new Date(iso).getTime()) / 1_000
  if (seconds > 7 * 86_400) return formatDate(iso)
  const found = units.find(([, size]) => seconds >= size)
  if (!found) return texts.common.justNow
  const [unit, size] = found
  return spans.format(-Math.floor(seconds / size), unit)
}

/** One of several: `a, b or c`. */
export function formatChoice(words: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(words)
}
