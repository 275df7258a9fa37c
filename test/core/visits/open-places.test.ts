import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPlaces } from '../../../core/visits/open-places.ts'
import { placesInFile } from '../../../core/visits/place.ts'
import { mmdbFile } from '../../mmdb.ts'
import { listeningLog, temporaryFolder } from './fixtures.ts'

it('knows the countries that come with Linnet', () => {
  const log = listeningLog()
  const places = openPlaces(log)
  const countries = ['8.8.8.8', '2001:4860:4860::8888', '193.99.144.80', '192.168.1.1'].map(
    ip => places.of(ip).country,
  )
  expect(countries).toEqual(['US', 'US', 'DE', undefined])
  expect(log.lines).toEqual([])
})

it('reads another file instead, which another thread can look into too', () => {
  const file = mmdbFile({ '8.8.8.0/24': { country: { iso_code: 'IS' } } })
  const places = openPlaces(listeningLog(), file)
  expect(places.of('8.8.8.8')).toEqual({ country: 'IS' })
  expect(placesInFile(places.file ?? '')('8.8.8.8')).toEqual({ country: 'IS' })
})

it.each(['missing', 'broken'])('says once that a file is %s, and knows no country', kind => {
  const file = join(temporaryFolder(), 'places.mmdb')
  if (kind === 'broken') writeFileSync(file, 'no database')
  const log = listeningLog()
  const places = openPlaces(log, file)
  expect(places.of('8.8.8.8')).toEqual({ country: undefined })
  expect(places.file).toBeUndefined()
  expect(places.trouble).toBe('Countries of visitors are unknown; the log says why.')
  expect(log.lines).toHaveLength(1)
  expect(log.lines[0]).toContain(`${file} cannot be read`)
  expect(log.lines[0]).toContain('Set LINNET_GEOIP_FILE')
})

it('knows no country any more when the file is gone before the first visit', () => {
  const file = mmdbFile({ '8.8.8.0/24': { country: { iso_code: 'IS' } } })
  const places = openPlaces(listeningLog(), file)
  rmSync(file)
  expect(places.of('8.8.8.8')).toEqual({ country: undefined })
})
