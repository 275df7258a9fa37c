import { type Refusal, refuse } from '../outcomes.ts'

/** The strong validator of one version of a resource: RFC 9110, section 8.8.3. */
export function etagOf(version: number | string): string {
  return `"${version}"`
}

/** Refuse a change that was meant for another version: RFC 9110, section 13.1.1. */
export function checkIfMatch(
  ifMatch: string | undefined,
  version: number | string,
): Refusal | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const meant = ifMatch.split(',').map(tag => tag.trim())
  if (meant.includes(etagOf(version))) return undefined
  return refuse('stale', 'This was changed meanwhile. Read it again, then repeat.', 412)
}
