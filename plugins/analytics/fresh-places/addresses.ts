import type { PlaceFact } from '../../../core/plugin.ts'

/** https://db-ip.com/db/lite.php: a file for each month, without a key. */
const dbIp = 'https://download.db-ip.com/free/dbip-{kind}-lite-{month}.mmdb.gz'

/** https://dev.maxmind.com/geoip/updating-databases: always the newest, for who has a key. */
const maxMind =
  'https://download.maxmind.com/geoip/databases/GeoLite2-{Kind}/download?suffix=tar.gz'

const kinds: Readonly<Record<PlaceFact, string>> = { place: 'country', city: 'city' }

/** Where to ask for the newest file of a fact, one after the other: that of a month may not be there yet. */
export function addressesFor(
  fact: PlaceFact,
  now: Date,
  { key, address }: { readonly key?: string | undefined; readonly address?: string | undefined },
): readonly string[] {
  const template = address ?? (key === undefined ? dbIp : maxMind)
  const kind = kinds[fact]
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
  const filled = [now, lastMonth].map(month =>
    template
      .replaceAll('{kind}', kind)
      .replaceAll(
        '{Kind}',
        kind.replace(/^./, letter => letter.toUpperCase()),
      )
      .replaceAll('{month}', month.toISOString().slice(0, 7)),
  )
  return [...new Set(filled)]
}
