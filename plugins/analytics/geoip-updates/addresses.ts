import type { PlaceFact } from '../../../core/plugin.ts'

/** One file a month, without a key: https://db-ip.com/db/lite.php */
const dbIp = 'https://download.db-ip.com/free/dbip-{kind}-lite-{month}.mmdb.gz'

/** Always the newest file, for users with a key: https://dev.maxmind.com/geoip/updating-databases */
const maxMind =
  'https://download.maxmind.com/geoip/databases/GeoLite2-{Kind}/download?suffix=tar.gz'

const kinds: Readonly<Record<PlaceFact, string>> = { place: 'country', city: 'city' }

/** The URLs to try one after the other for the newest file, because that of this month may not exist yet. */
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
