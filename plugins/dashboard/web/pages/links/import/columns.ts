import type { ManifestEntry } from '../../../api/links/link-form.ts'
import type { Table } from './read-table.ts'
import { isAddress } from './read-table.ts'

/** What a column can contain. */
export type Target = (typeof targets)[number]

export const targets = [
  'original_url',
  'short_code',
  'domain',
  'title',
  'notes',
  'tags',
  'campaign',
  'expires_at',
  'redirect_status',
  'redirect_cache_seconds',
  'paths',
  'external_id',
] as const

/** What each column of a table contains; null leaves a column out. */
export type Columns = readonly (Target | null)[]

/** Column names that other shorteners and people use, reduced to letters: what says most first, since a short URL may be a link too. */
const names: Readonly<Record<Target, readonly string[]>> = {
  original_url: [
    ...['originalurl', 'longurl', 'destinationurl', 'destination', 'targeturl', 'target'],
    ...['originallink', 'longlink', 'redirectto', 'url', 'link', 'address', 'to'],
  ],
  short_code: [
    ...['shortcode', 'code', 'slug', 'key', 'alias', 'keyword', 'backhalf', 'slashtag'],
    ...['customslug', 'path'],
  ],
  domain: ['domain', 'host', 'hostname'],
  title: ['title', 'name'],
  notes: ['notes', 'note', 'description', 'comment', 'comments'],
  tags: ['tags', 'tag', 'labels'],
  campaign: ['campaign'],
  expires_at: ['expiresat', 'expires', 'expiry', 'expiration', 'validuntil', 'endsat', 'ends'],
  redirect_status: ['redirectstatus', 'redirecttype', 'redirectcode', 'statuscode', 'httpstatus'],
  redirect_cache_seconds: ['redirectcacheseconds'],
  paths: ['paths'],
  external_id: ['externalid'],
}

const features: Readonly<Partial<Record<Target, string>>> = {
  short_code: 'link.customShortCode',
  domain: 'organization.customDomains',
  tags: 'organization.tags',
  campaign: 'organization.campaigns',
  expires_at: 'link.linkExpiration',
  redirect_status: 'link.redirectStatus',
  redirect_cache_seconds: 'link.redirectStatus',
  paths: 'link.paths',
  external_id: 'link.externalId',
}

/** What columns can contain in this account. */
export function targetsIn(manifest: readonly ManifestEntry[]): readonly Target[] {
  const isOn = (feature: string) => manifest.some(it => it.feature === feature && it.enabled)
  return targets.filter(target => {
    const feature = features[target]
    return feature === undefined || isOn(feature)
  })
}

/** Guesses what the columns of a table contain, by their names or values. */
export function guessColumns(
  { head, rows }: Table,
  possible: readonly Target[],
  schemes: readonly string[] = [],
): Columns {
  const width = head?.length ?? Math.max(0, ...rows.slice(0, 100).map(it => it.cells.length))
  const plain = Array.from({ length: width }, (_, index) => reduced(head?.[index] ?? ''))
  const places = new Map(possible.map(target => [placeOf(target, plain), target]))
  const unique = plain.map((_, index) => places.get(index) ?? null)
  if (unique.includes('original_url')) return unique
  const urls = rows[0]?.cells.findIndex(it => isAddress(it, schemes)) ?? -1
  const found = unique.map((it, index) => (index === urls ? 'original_url' : it))
  if (head !== null || !possible.includes('short_code')) return found
  // Without names, the column next to the address is the short code.
  const code = found.findIndex((it, index) => it === null && index < 2)
  return found.map((it, index) => (index === code ? 'short_code' : it))
}

/** The column whose name says most that it has this; -1 if none does. */
function placeOf(target: Target, plain: readonly string[]): number {
  return plain.indexOf(names[target].find(name => plain.includes(name)) ?? '\n')
}

function reduced(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
