import { expect, it } from 'vitest'
import { addressesFor } from '../../../../plugins/analytics/geoip-updates/addresses.ts'

it('knows where DB-IP and MaxMind have their files', () => {
  const now = new Date('2026-01-03')
  expect(addressesFor('place', now, {})).toEqual([
    'https://download.db-ip.com/free/dbip-country-lite-2026-01.mmdb.gz',
    'https://download.db-ip.com/free/dbip-country-lite-2025-12.mmdb.gz',
  ])
  expect(addressesFor('city', now, { key: '1:x' })).toEqual([
    'https://download.maxmind.com/geoip/databases/GeoLite2-City/download?suffix=tar.gz',
  ])
})
