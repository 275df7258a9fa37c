/**
 * A slug that a plan may have, made of its name.
 *
 * @example
 * slugOf('Für Vereine (2026)') // fur-vereine-2026
 */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 30)
    .replace(/-$/, '')
}
