import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examineBackups, examineDatabase } from '../../../core/doctor/examine-database.ts'
import {
  examineClock,
  examineDisk,
  examinePermissions,
} from '../../../core/doctor/examine-folder.ts'
import { damagesIn, examinePlaces, notesOnPlaces } from '../../../core/doctor/examine-places.ts'
import { type CameIn, examineProxies } from '../../../core/doctor/examine-proxies.ts'
import type { PlaceFact } from '../../../core/plugin.ts'
import { integrityOf } from '../../../core/storage/files/integrity.ts'
import { checkMmdb } from '../../../core/visits/facts/check-mmdb.ts'
import { openPlaces } from '../../../core/visits/facts/open-places.ts'
import { boot } from '../../harness.ts'
import { mmdbFile } from '../../mmdb.ts'
import { listeningLog, temporaryFolder } from '../visits/fixtures.ts'

const now = new Date('2026-11-22T12:00:00Z')
const hourMs = 3_600_000

describe('the data folder', () => {
  it('is said to have room, or too little for a copy of the database', () => {
    const folder = temporaryFolder()
    expect(examineDisk(folder, 1).status).toBe('ok')
    expect(examineDisk(folder, 1e18)).toMatchObject({ status: 'warning', name: 'disk' })
  })

  it('is said to be closed to others, or that it should be', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o750)
    expect(examinePermissions(folder).status).toBe('ok')
    chmodSync(folder, 0o755)
    expect(examinePermissions(folder)).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('has mode 755'),
      remedy: expect.stringContaining(`chmod o= ${folder}`),
    })
  })

  it('is reported when its files are dated in the future', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'linnet.db')
    writeFileSync(file, '')
    utimesSync(file, now, now)
    expect(examineClock(folder, now).status).toBe('ok')
    expect(examineClock(folder, new Date(now.getTime() - hourMs))).toMatchObject({
      status: 'problem',
      says: expect.stringContaining('last written after that, at 2026-11-22T12:00:00.000Z'),
    })
  })
})

describe('the database', () => {
  it('is whole, or says what is wrong', () => {
    const file = join(temporaryFolder(), 'linnet.db')
    writeFileSync(file, 'no database, but long enough to be taken for one'.repeat(100))
    expect(examineDatabase(file, integrityOf)).toMatchObject({
      status: 'problem',
      says: expect.stringContaining('It is damaged: file is not a database.'),
    })
    expect(examineDatabase(file, () => 'ok')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('4.8 kB, and its write-ahead log 0 bytes. It is not damaged'),
    })
  })

  it.each([
    ['nightly-20261122T031500Z.db', 7, 'ok'],
    ['manual-20261121T010000Z.db', 7, 'ok'],
    ['nightly-20261120T031500Z.db', 7, 'warning'],
    ['nightly-20261122T031500Z.db', 0, 'warning'],
    ['nightly-20261122T031500Z.db.unfinished', 7, 'ok'],
  ])('with the newest copy %s, of which %i are kept, is %s', async (name, kept, status) => {
    const file = join(temporaryFolder(), 'linnet.db')
    mkdirSync(join(file, '../backups'))
    writeFileSync(file, '')
    writeFileSync(join(file, '../backups', name), '')
    expect(await examineBackups(file, kept, now)).toMatchObject({ name: 'backups', status })
  })
})

it('a folder for backups that cannot be used is a problem before the first of them fails', async () => {
  const file = join(temporaryFolder(), 'linnet.db')
  writeFileSync(file, '')
  expect(await examineBackups(file, 7, now)).toMatchObject({ status: 'ok' })
  const folder = join(file, '../backups')
  writeFileSync(folder, '')
  expect(await examineBackups(file, 7, now)).toMatchObject({
    status: 'problem',
    says: `The folder ${folder} cannot be used: not a directory (ENOTDIR).`,
  })
})

describe('the GeoIP data', () => {
  const reads = (...facts: PlaceFact[]) => new Set(facts)
  const builtOn = (day: string) =>
    mmdbFile({ '8.8.8.0/24': {} }, { buildEpoch: Date.parse(day) / 1_000, type: 'GeoLite2-City' })

  it('is as old as the file says, noted after ninety days, and too old after a year', () => {
    const examineFileOf = (day: string) =>
      examinePlaces(openPlaces(listeningLog(), reads('city'), { own: [builtOn(day)] }), now)
    expect(examineFileOf('2026-08-24')).toEqual({
      name: 'geoip',
      status: 'ok',
      says: 'Cities of visitors come from data of 2026-08-24, 90 days ago.',
      remedy: null,
    })
    expect(examineFileOf('2025-11-22')).toMatchObject({ status: 'ok', remedy: null })
    expect(examineFileOf('2025-11-21')).toMatchObject({
      status: 'warning',
      says: 'Cities of visitors come from data of 2025-11-21, 366 days ago.',
      remedy: expect.stringContaining('docs/configuration.md'),
    })
    const noted = (day: string) =>
      notesOnPlaces(openPlaces(listeningLog(), reads('city'), { own: [builtOn(day)] }), now)
    expect(noted('2026-08-24')).toEqual([])
    expect(noted('2026-08-23')).toEqual([
      'Cities of visitors come from data of 2026-08-23, 91 days ago.',
    ])
  })

  it('that cannot be read is named, with why and what to do', () => {
    const file = join(temporaryFolder(), 'cities.mmdb')
    writeFileSync(file, 'no such file')
    expect(examinePlaces(openPlaces(listeningLog(), reads('city'), { own: [file] }), now)).toEqual({
      name: 'geoip',
      status: 'warning',
      says: `Cities of visitors are unknown: ${file} cannot be read: it is not an MMDB file.`,
      remedy: 'Put an MMDB file there, or set LINNET_GEOIP_FILE to one and start again.',
    })
  })

  it('with a damaged record is named, which only shows when all is read', async () => {
    const record = { country_code: 'US', city: 'Springfield' }
    const file = mmdbFile({ '8.8.0.0/16': record }, { type: 'GeoLite2-City' })
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0, bytes.indexOf('country_code') - 1, bytes.indexOf('US')))
    const places = openPlaces(listeningLog(), reads('city'), { own: [file] })
    expect(examinePlaces(places, now).status).toBe('ok')
    const found = examinePlaces(places, now, await damagesIn(places, checkMmdb))
    expect(found).toMatchObject({
      status: 'warning',
      says: expect.stringContaining(`${file} is damaged: a record in it cannot be read.`),
    })
    // What comes with Linnet is not read.
    const bundled = openPlaces(listeningLog(), reads('place'))
    expect(await damagesIn(bundled, () => Promise.reject(new Error('read')))).toEqual([])
  })

  it('needs no file where no plugin asks', () => {
    expect(examinePlaces(openPlaces(listeningLog(), reads()), now).status).toBe('ok')
  })

  it('may be missing where no file was installed', () => {
    const found = examinePlaces(
      { ...openPlaces(listeningLog(), reads()), missing: () => ['city'] },
      now,
    )
    expect(found).toMatchObject({
      status: 'ok',
      says: 'Cities of visitors are unknown: no location data is installed for them.',
    })
  })
})

describe('a proxy in front', () => {
  const direct: CameIn = {
    peer: '203.0.113.7',
    forwardedFor: '',
    host: 'go.example.org',
    isFromProxy: false,
    client: '203.0.113.7',
  }
  const byProxy = { ...direct, peer: '10.0.0.2', forwardedFor: '203.0.113.7' }
  const none = { kind: 'none' } as const
  const one = { kind: 'hops', count: 1 } as const

  it.each([
    ['nothing', direct, none, 'ok', 'takes it as a request from 203.0.113.7'],
    [
      'a silent proxy that nobody mentions',
      direct,
      none,
      'warning',
      'so a proxy must be in front, and all its visitors seem to come from 203.0.113.7',
      'https://go.example.org',
    ],
    [
      'a proxy that is trusted',
      { ...byProxy, isFromProxy: true },
      one,
      'ok',
      'from 203.0.113.7, for',
    ],
    ['a proxy that is not', byProxy, none, 'warning', 'all visitors seem to come from 10.0.0.2'],
    [
      'fewer proxies than are trusted',
      { ...byProxy, isFromProxy: true },
      { ...one, count: 2 },
      'warning',
      'visitors can fake their IP address',
    ],
    ['a silent proxy', { ...direct, isFromProxy: true }, one, 'warning', 'there is a proxy'],
    [
      'more proxies than are counted',
      { ...byProxy, isFromProxy: true, forwardedFor: '10.0.0.3, 10.0.0.3', client: '10.0.0.3' },
      one,
      'warning',
      'as a request from 10.0.0.3, since LINNET_TRUSTED_PROXIES names no proxy before that',
    ],
    [
      'more proxies than are named',
      { ...byProxy, isFromProxy: true, forwardedFor: '203.0.113.7, 10.9.9.9', client: '10.9.9.9' },
      { kind: 'networks', networks: [] } as const,
      'warning',
      'as a request from 10.9.9.9, since',
    ],
    [
      'all the proxies that are named',
      { ...byProxy, isFromProxy: true, forwardedFor: '203.0.113.7:4711, 10.9.9.9' },
      { kind: 'networks', networks: [] } as const,
      'ok',
      'from 203.0.113.7, for',
    ],
    ['one for another host', { ...direct, host: 'app:8080' }, none, 'warning', 'the host app:8080'],
  ])(
    'is reported when it is %s',
    (_, cameIn, trusted, status, says, baseUrl = 'http://go.example.org') => {
      const found = examineProxies(cameIn, trusted, { baseUrl, dashboardUrl: baseUrl })
      expect(found).toMatchObject({ status, says: expect.stringContaining(says) })
    },
  )

  it('is seen by how the request of an admin comes in', async () => {
    const linnet = await boot([])
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const { status, body } = await linnet.api('GET', '/admin/doctor', undefined, headers)
    await linnet.stop()
    expect([status, body.data]).toMatchObject([
      200,
      [
        { name: 'geoip', status: 'ok' },
        { name: 'proxies', status: 'warning', remedy: expect.stringContaining('127.0.0.1') },
      ],
    ])
  })
})
