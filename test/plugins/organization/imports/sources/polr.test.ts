import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { polr } from '../../../../../plugins/organization/imports/sources/polr.ts'
import { conforms, readAll } from '../conformance.ts'
import { ofKind } from '../from-text.ts'
import { writtenFile } from '../written-file.ts'

const file = new URL('./polr/polr.sql', import.meta.url).pathname

describe('with a dump of its database', () => {
  conforms(polr, { file })

  it('yields links, secret ones too, visits with robots apart, and keys', async () => {
    const createdAt = new Date('2020-05-01T10:20:30Z')
    expect(await readAll(polr, { file })).toEqual([
      {
        ...{ kind: 'host', row: 'links', host: null },
        rules: { grammar: 'wide', codes: 'any_case', hyphens: 'strict' },
      },
      {
        ...{ kind: 'link', row: 'links id 1', id: '1', host: null, code: 'Spring', visits: 11 },
        fields: { originalUrl: 'https://example.com/?a=1' },
        ...{ owner: 'ada@example.org', createdAt, updatedAt: new Date('2020-05-02T10:20:30Z') },
      },
      {
        ...{ kind: 'counts', row: 'links id 1', link: '1', part: '2020-05' },
        counts: [
          {
            at: new Date('2020-05-03T10:00:00Z'),
            visits: 1,
            by: {
              bots: 1,
              visitsByBrowser: { Firefox: 1 },
              visitsByCountry: { DE: 1 },
              visitsByDeviceType: { desktop: 1 },
              visitsByOperatingSystem: { Linux: 1 },
              visitsByReferer: { 'example.org': 1 },
            },
          },
        ],
      },
      {
        ...{ kind: 'link', row: 'links id 2', id: '2', host: null, code: '1/x9Yz', visits: 0 },
        fields: { originalUrl: 'https://example.com/secret' },
        ...{ createdAt, updatedAt: createdAt },
      },
      {
        ...{ kind: 'link', row: 'links id 3', id: '3', host: null, code: 'gone', visits: 3 },
        fields: { originalUrl: `https://example.com/it's%20"gone"%20\\%20ü` },
        ...{ createdAt, updatedAt: createdAt, isClosed: true },
        changes: ['It was disabled there, and has ended here.'],
      },
      {
        ...{ kind: 'key', row: 'users id 1', name: 'Polr, ada', owner: 'ada@example.org' },
        sha256: '9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f',
      },
    ])
  })

  it('says that codes have to be exact where two differ by case alone, and that none have slashes', async () => {
    const changed = readFileSync(file, 'utf8').replace("'gone'", "'SPRING'").replace("'x9Yz'", "''")
    expect((await readAll(polr, { file: writtenFile(changed) }))[0]).toMatchObject({
      rules: { grammar: 'narrow', codes: 'exact', hyphens: 'strict' },
    })
  })

  it('keeps the status 301, if that is wanted', async () => {
    const items = await readAll(polr, { file, settings: { keepsStatus: true } })
    expect(ofKind(items, 'link').map(({ fields }) => fields.redirectStatus)).toEqual([
      301, 301, 301,
    ])
  })
})
