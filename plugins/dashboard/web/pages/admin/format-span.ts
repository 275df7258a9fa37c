import { locale } from '../../language/language.ts'

const units = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time between two moments in its largest unit: `2.1 seconds`. */
export function formatSpan(from: string, to: string): string {
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000
  if (seconds < 1) return inUnit(seconds * 1_000, 'millisecond')
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ['second', 1]
  return inUnit(seconds / size, unit)
}

function inUnit(value: number, unit: string): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, options).format(value)
}
