import { withoutNull } from '../../../shared/fields/json-schema.ts'
import { withScheme } from '../../../shared/text/with-scheme.ts'
import type { FormField } from '../link-form/fields/form-fields.ts'

/** The value in a cell for the API, for fields that need no other request. What is none stays as it is, and the API says what it wants. */
export function valueIn(text: string, field: FormField): unknown {
  const { control, name, schema } = field
  if (isDate(field)) return momentIn(text) ?? text
  if (control === 'number') return numberIn(text, withoutNull(schema).type !== 'integer')
  if (control === 'choice') {
    return withoutNull(schema).enum?.every(it => typeof it === 'number') ? numberIn(text) : text
  }
  if (control === 'toggle') return truthIn(text)
  if (control === 'list') return namesIn(text)
  if (control === 'address') return withScheme(text)
  // A cell may contain line breaks.
  return name === 'title' ? text.replace(/\s+/g, ' ') : text
}

/** Whether a field has a moment. */
export function isDate({ control }: FormField): boolean {
  return control === 'date' || control === 'end'
}

/**
 * Parses `2027-03-01`, `2027-03-01 12:00`, `1.3.2027` or `1.3.2027 12:00` in the browser's time zone, or a moment with an
 * offset, for the API. With slashes, nobody could tell the day from the month.
 */
export function momentIn(written: string): string | undefined {
  const text = written.replace(
    /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})(?=$| \d\d:)/,
    (_, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text)) return undefined
  const day = text.slice(0, 10)
  const date = new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
  return isDay(day) && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined
}

/** Whether a month has this day: `Date` takes the 31st of April for the 1st of May. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A number; what is none stays as it is. In `1.000`, the dot may part thousands. */
export function numberIn(text: string, mayBeBroken = false): number | string {
  const isNumber = (mayBeBroken ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(text.trim())
  return isNumber ? Number(text) : text
}

/** Yes or no; what is neither stays as it is. */
export function truthIn(text: string): boolean | string {
  if (/^(yes|true|1)$/i.test(text)) return true
  return /^(no|false|0)$/i.test(text) ? false : text
}

/** The names in a cell: `Print, Newsletter`, or with bars between them. */
export function namesIn(text: string | undefined): readonly string[] {
  const separator = text?.includes('|') ? '|' : /[,;]/
  const names = (text ?? '').split(separator).map(name => name.trim())
  return [...new Set(names.filter(name => name !== ''))]
}
