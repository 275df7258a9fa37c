import type { Link } from '../../../../api/links/links.ts'
import { labelOf } from '../../../../shared/fields/field.ts'
import type { Values } from '../../../../shared/fields/values.ts'
import { formatMoment, formatNumber } from '../../../../shared/text/format.ts'
import { linkFormTexts, pathsTexts } from '../../../../texts/link-form.ts'
import type { FormField } from './form-fields.ts'
import { hasSealed } from './values.ts'

/** A short summary of the values of some fields; undefined if none is set. */
export function summaryOf(
  fields: readonly FormField[],
  values: Values,
  link: Link | undefined,
): string | undefined {
  const parts = fields.flatMap(field => wordOf(field, values[field.name], link) ?? [])
  return parts.length > 0 ? parts.join(' · ') : undefined
}

/** A short text for one value. */
export function wordOf(field: FormField, value: unknown, link?: Link): string | undefined {
  if (field.control === 'password') {
    const isSet = typeof value === 'string' || (value !== null && hasSealed(field, link))
    return isSet ? linkFormTexts.set : undefined
  }
  if (isMoment(field) && typeof value === 'string') {
    return `${field.label} ${formatMoment(value)}`
  }
  if (field.control === 'choice' && isWord(value)) return labelOf(field, value)
  if (field.control === 'number' && typeof value === 'number') {
    return `${field.label} ${formatNumber(value)}`
  }
  if (field.control === 'rules') {
    return isRuled(value) ? linkFormTexts.rules(value.rules.length) : undefined
  }
  if (field.control === 'paths' && value === 'append') return pathsTexts.append
  return wordFor(value)
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isMoment({ control }: FormField): boolean {
  return control === 'date' || control === 'end'
}

function wordFor(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? linkFormTexts.on : linkFormTexts.off
  if (Array.isArray(value)) return value.length > 0 ? linkFormTexts.items(value.length) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const words = Object.values(value).flatMap(part => wordFor(part) ?? [])
  return words.length > 0 ? words.join(', ') : undefined
}

function isRuled(value: unknown): value is { readonly rules: readonly unknown[] } {
  return (
    typeof value === 'object' && value !== null && 'rules' in value && Array.isArray(value.rules)
  )
}
