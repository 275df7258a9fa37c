import type { Context, Json, MountRequest } from '../../../core/plugin.ts'

/** A request to the API of Kutt. */
export interface Asked extends Pick<MountRequest, 'call' | 'caller' | 'query' | 'headers'> {
  /** The members of a JSON object or of a form; empty for everything else. */
  readonly body: Readonly<Record<string, Json>>
  /** The UUID in the path. */
  readonly uuid: string
  readonly links: Context['links']
  now(): Date
}

/** The host that links are on unless they say otherwise. */
export function defaultHost({ links }: Pick<Asked, 'links'>): string {
  return new URL(links.mainUrl()).host
}

/** People leave out the scheme, and Kutt adds it. */
export function withScheme(url: Json | undefined): Json | undefined {
  if (typeof url !== 'string') return url
  const text = url.trim()
  return text === '' || /^(?:[a-z][a-z\d+.-]*:(?!\d)|\/\/)/i.test(text) ? text : `http://${text}`
}

/** Milliseconds of a unit. */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(milliseconds?|msecs?|ms)?$/, 1],
  [/^(seconds?|secs?|s)$/, 1_000],
  [/^(minutes?|mins?|m)$/, 60_000],
  [/^(hours?|hrs?|h)$/, 3_600_000],
  [/^(days?|d)$/, 86_400_000],
  [/^(weeks?|w)$/, 604_800_000],
  [/^(years?|yrs?|y)$/, 31_557_600_000],
]

/** When something of this length ends that begins now, such as `2 days`: a moment, or what is wrong. */
export function endOf(text: string, now: Date): { readonly at: string } | string {
  const [, count, unit = ''] = /^(\d{1,10}(?:\.\d{1,10})?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const ms = units.find(([name]) => name.test(unit.toLowerCase()))?.[1]
  if (count === undefined || ms === undefined) {
    return 'Expire format is invalid. Valid examples: 1m, 8h, 42 days.'
  }
  const length = Number(count) * ms
  if (length < 60_000) return 'Expire time should be more than 1 minute.'
  const at = now.getTime() + length
  return at < Date.UTC(9999, 0) ? { at: new Date(at).toISOString() } : 'Expire time is too long.'
}
