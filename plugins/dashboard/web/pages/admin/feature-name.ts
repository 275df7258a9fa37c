import { wordsOf } from '../../shared/fields/names.ts'
import { adminTexts } from '../../texts/admin.ts'

const groups: Readonly<Record<string, string>> = adminTexts.groups

/** `analytics.utmTracking` -> `UTM tracking`: the name of a feature for people. */
export function featureName(feature: string): string {
  const words = wordsOf(feature.slice(feature.indexOf('.') + 1))
  return words.replace(/\b(api|qr|url|utm)\b/gi, letters => letters.toUpperCase())
}

/** `analytics.utmTracking` -> `Analytics`: the heading that it belongs under. */
export function groupName(feature: string): string {
  return groups[groupOf(feature)] ?? adminTexts.groups.other
}

/** `analytics.utmTracking` -> `analytics`. */
export function groupOf(feature: string): string {
  return feature.split('.')[0] ?? ''
}

/** Features by the heading that they belong under, in the order in which they come. */
export function byGroup<T extends { readonly feature: string }>(
  things: readonly T[],
): readonly (readonly [heading: string, things: readonly T[]])[] {
  const headings = [...new Set(things.map(({ feature }) => groupName(feature)))]
  return headings.map(heading => [
    heading,
    things.filter(({ feature }) => groupName(feature) === heading),
  ])
}
