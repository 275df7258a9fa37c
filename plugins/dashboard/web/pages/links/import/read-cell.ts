import { withoutNull } from '../../../shared/fields/json-schema.ts'
import { withScheme } from '../../../shared/text/with-scheme.ts'
import type { FormField } from '../link-form/fields/form-fields.ts'

/** The value in a cell for the API, for fields that need no other request. What is none stays as it is, and the API says what it wants. */
export function valueIn(text: string, field: FormField): unknown {
  const { control, name, schema } = field
  if (isDate(field)) return momentIn(text) ?? text
  if (control === 'number') return numberIn(text)
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
  const date = new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** A number; what is none stays as it is. */
export function numberIn(text: string): number | string {
  const value = Number(text)
  return Number.isNaN(value) ? text : value
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
