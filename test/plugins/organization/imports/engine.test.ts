import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, secret } from '../../../../core/plugin.ts'
import { apart } from '../../../../plugins/organization/imports/apart/read-apart.ts'
import { makeImports } from '../../../../plugins/organization/imports/make-imports.ts'
import { createRunner } from '../../../../plugins/organization/imports/runs/runner.ts'
import {
  type Asked,
  type Item,
  type LinkItem,
  type Source,
  SourceError,
} from '../../../../plugins/organization/imports/source.ts'
import { boot, type Harness } from '../../../harness.ts'
import { openSession, suspendAccount } from '../../../inside.ts'
import { type Call, otherAccount } from '../other-account.ts'

/** What the source yields now; a function is called where it stands. */
let items: readonly (Item | (() => unknown))[] = []
let asked: Asked | undefined

const source: Source = {
  name: 'test',
  label: 'Test',
  about: 'Yields what a test says.',
  settings: { apiKey: secret({ label: 'API key', env: 'TEST_API_KEY' }) },
  async *read(given) {
    asked = given
    for (const item of items) {
      if (typeof item === 'function') await item()
      else yield item
    }
  },
}
const ofFile: Source = {
  name: 'lines',
  label: 'Lines',
  about: 'Reads an address on each line.',
  settings: {},
  file: { endings: ['.txt'] },
  async *read({ file, signal }) {
    const parts: Uint8Array[] = []
    for await (const part of file?.read() ?? []) parts.push(part)
    signal.throwIfAborted()
    for (const [index, line] of Buffer.concat(parts).toString().split('\n').entries()) {
      if (line) yield link(`${index + 1}`, { code: null, fields: { originalUrl: line } })
    }
  },
}

const counts = (link: string, day: string, visits: number): Item => ({
  ...{ kind: 'counts', row: `id ${link}`, link, part: day },
  counts: [{ at: day, visits }],
})

const features = [
  'link.customShortCode',
  'link.linkExpiration',
  'organization.tags',
  'organization.campaigns',
  'analytics.visitsTracking',
  'analytics.visitsByCountry',
  'developer.apiKeys',
] as const

let linnet: Harness
let filesFolder: string
beforeEach(async () => {
  items = []
  filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  linnet = await boot([makeImports([source, ofFile]), ...features], { filesFolder })
})
afterEach(async () => {
  await linnet.stop()
  rmSync(filesFolder, { recursive: true })
})

function link(id: string, more: Partial<LinkItem> = {}): LinkItem {
  return {
    ...{ kind: 'link', row: `id ${id}`, id, host: null, code: `code-${id}` },
    fields: { originalUrl: `https://example.com/${id}` },
    ...more,
  }
}

const settings = { apiKey: 'very secret' }
const begin = (body: object = {}) =>
  linnet.api('POST', '/imports', { source: 'test', settings, ...body })
const show = async (id: string) => (await linnet.api('GET', `/imports/${id}`)).body.data
const isOver = /done|stopped|failed/

async function run(body: object = {}) {
  const begun = await begin(body)
  expect(begun.status).toBe(202)
  return ended(begun.body.data.id)
}
async function ended(id: string) {
  await expect.poll(async () => (await show(id)).state).toMatch(isOver)
  return show(id)
}
async function resume(id: string, body: object = { settings }) {
  const { status } = await linnet.api('POST', `/imports/${id}/resume`, body)
  expect(status).toBe(200)
  return ended(id)
}
const links = async () => (await linnet.api('GET', '/links?per_page=100')).body.data
const linkOf = async (code: string) =>
  (await links()).find(({ shortCode }: { shortCode: string }) => shortCode === code)
const report = async (id: string) =>
  (await linnet.api('GET', `/imports/${id}/rows?per_page=100`)).body.data.map(
    (row: { outcome: string; row: string; sentence: string }) =>
      `${row.outcome} ${row.row}: ${row.sentence}`,
  )

/** As after a process that was killed while it worked at an import. */
async function leftBehind(id: number, beat_at = 1) {
  await linnet.db
    .updateTable('organization_imports' as never)
    .set({ state: 'running', runner: 'gone', beat_at, active_of: id, ended_at: null } as never)
    .execute()
}

describe('what is made to harm', () => {
  it('is refused where it is larger than anything that can come, and what is large is held for a short time', async () => {
    const [large, tooLarge] = ['n'.repeat(200_000), 'n'.repeat(300_000)]
    let made = 0
    items = [
      { kind: 'tag', row: 'tag 1', name: tooLarge },
      { kind: 'host', row: 'host 1', host: tooLarge },
      link('large', { changes: [tooLarge] }),
      link('tags', { tags: [large] }),
      { kind: 'counts', row: 'counts 1', link: '1', part: tooLarge.repeat(40), counts: [] },
      ...Array.from({ length: 6 }, (_, index) => link(`${index}`, { changes: [large] })),
      async () => {
        const [row] = await linnet.db
          .selectFrom('organization_imports' as never)
          .select('made' as never)
          .execute()
        made = (row as unknown as { made: number }).made
      },
    ]
    const { id, progress, state } = await run()
    expect([state, progress]).toMatchObject(['done', { made: 7, refused: 4 }])
    expect(made).toBeGreaterThan(0)
    const rows = await report(id)
    for (const row of ['tag 1', 'host 1', 'id large', 'counts 1']) {
      expect(rows).toContain(`refused ${row}: It is larger than anything that can come.`)
    }
    expect(rows).toContain(
      `changed id tags: The tag ${large} could not come: Its name is too long.`,
    )
  })

  it('ends two servers at most: after that, somebody has to say that it goes on', async () => {
    items = [link('1')]
    const { id } = await run()
    await leftBehind(1)
    await linnet.run('organization.imports.goOn')
    expect((await ended(id)).state).toBe('done')
    await leftBehind(2)
    await linnet.run('organization.imports.goOn')
    expect(await show(id)).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/^The server ended twice while this import ran/),
    })
    expect((await resume(id)).state).toBe('done')
    await leftBehind(3)
    await linnet.run('organization.imports.goOn')
    expect((await ended(id)).state).toBe('done')
  })
})

describe('a run that is resumed', () => {
  it('at a server that has not got its file goes on at the one that has, within a minute', async () => {
    const { id } = (await begin({ source: 'lines', settings: {}, dryRun: true })).body.data
    const text = { 'content-type': 'text/plain' }
    await linnet.api('PUT', `/imports/${id}/file`, 'https://example.com/1\n', text)
    expect((await ended(id)).state).toBe('done')
    const path = readdirSync(filesFolder, { recursive: true })
      .map(it => join(filesFolder, `${it}`))
      .find(it => /import-\d+$/.test(it))
    if (path === undefined) throw new Error('A dry run keeps its file.')
    renameSync(path, `${path}.away`)
    const { body } = await linnet.api('POST', `/imports/${id}/resume`, {})
    expect(body.data).toMatchObject({
      state: 'waiting',
      sentence: expect.stringContaining('If another one has it, that goes on within a minute'),
    })
    await linnet.run('organization.imports.goOn')
    expect((await show(id)).state).toBe('waiting')
    renameSync(`${path}.away`, path)
    await linnet.run('organization.imports.goOn')
    expect(await ended(id)).toMatchObject({ state: 'done', sentence: null })
    expect(await links()).toHaveLength(1)
  })
})

describe('a run that nobody works at any more', () => {
  it('goes on, also if it was heard of by a clock that was ahead, and not while the clocks of servers differ', async () => {
    items = [link('1')]
    const { id } = await run()
    const now = Date.parse('2026-11-20T12:00:00Z')
    linnet.at(new Date(now).toISOString())
    await leftBehind(1, now + 3 * 60_000)
    await linnet.run('organization.imports.goOn')
    expect((await show(id)).state).toBe('running')
    await leftBehind(1, now + 24 * 3_600_000)
    await linnet.run('organization.imports.goOn')
    expect((await ended(id)).state).toBe('done')
  })

  it('of a command that was killed is ended by whoever has it, or after a day', async () => {
    items = [link('1')]
    const { id } = await run()
    const left = (beat_at: number) =>
      linnet.db
        .updateTable('organization_imports' as never)
        .set({
          state: 'running',
          runner: 'command',
          path: '/tmp/a.csv',
          beat_at,
          active_of: 1,
        } as never)
        .execute()
    const now = Date.parse('2026-11-20T12:00:00Z')
    linnet.at(new Date(now).toISOString())
    await left(now - 10_000)
    expect((await linnet.api('DELETE', `/imports/${id}`)).body.data.state).toBe('running')
    await left(now - 31_000)
    expect((await linnet.api('DELETE', `/imports/${id}`)).body.data.state).toBe('stopped')
    await left(now + 24 * 3_600_000)
    expect((await linnet.api('DELETE', `/imports/${id}`)).body.data.state).toBe('stopped')
    await left(now - 23 * 3_600_000)
    await linnet.run('organization.imports.tidy')
    expect((await show(id)).state).toBe('running')
    await left(now - 25 * 3_600_000)
    await linnet.run('organization.imports.tidy')
    expect(await show(id)).toMatchObject({
      state: 'stopped',
      sentence: expect.stringContaining('command was killed'),
    })
  })

  it('of an account that was suspended stops, and goes on after the release', async () => {
    const api = await otherAccount(linnet)
    const { id: rowId } = await linnet.db
      .selectFrom('accounts')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const now = () => new Date('2026-11-20T12:00:00Z')
    const some = Array.from({ length: 128 }, (_, index) => link(`${index}`))
    items = [...some, () => suspendAccount(linnet.db, rowId, false, now), link('more')]
    const { id } = (await api('POST', '/imports', { source: 'test', settings })).body.data
    const state = async () => {
      const [row] = await linnet.db
        .selectFrom('organization_imports' as never)
        .select('state' as never)
        .execute()
      return (row as unknown as { state: string }).state
    }
    await expect.poll(state).toBe('stopped')
    await linnet.db
      .updateTable('accounts')
      .set({ suspended_at: null })
      .where('id', '=', rowId)
      .execute()
    // The suspension ended all sessions.
    const session = await openSession(linnet.db, rowId, now)
    const later: Call = (method, path, body) =>
      linnet.api(method, path, body, { cookie: `__Host-linnet=${session}` })
    items = [...some, link('more')]
    expect((await later('POST', `/imports/${id}/resume`, { settings })).status).toBe(200)
    await expect.poll(state).toBe('done')
    expect((await later('GET', `/imports/${id}`)).body.data.progress).toMatchObject({
      ...{ made: 129, refused: 0 },
    })
  })

  it('of an account that was deleted meanwhile ends without a word', async () => {
    const api = await otherAccount(linnet)
    const { id } = (await api('GET', '/profile')).body.data
    const half = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    items = [link('1'), () => half.resolve(), () => gone.promise, link('2')]
    await api('POST', '/imports', { source: 'test', settings })
    await half.promise
    expect((await linnet.api('DELETE', `/admin/accounts/${id}`)).status).toBe(204)
    gone.resolve()
    await linnet.run('organization.imports.goOn')
    await expect
      .poll(() =>
        readdirSync(filesFolder, { recursive: true }).filter(it => /reading/.test(`${it}`)),
      )
      .toEqual([])
    expect(linnet.log.join('\n')).not.toContain('An import failed')
    expect(await links()).toEqual([])
  })
})

describe('links', () => {
  it('come with tags, campaigns, former codes and numbers of visits, so that totals are those of the source', async () => {
    items = [
      { kind: 'tag', row: 'tag 1', name: 'Sale', color: '#123456' },
      { kind: 'campaign', row: 'campaign 1', name: 'Spring', color: '#654321' },
      link('1', {
        ...{ tags: ['Sale'], campaign: 'Spring', formerCodes: ['old'], visits: 10 },
        createdAt: new Date('2024-03-01T10:00:00Z'),
      }),
      {
        ...{ kind: 'counts', row: 'id 1', link: '1', part: '2024-03' },
        counts: [{ at: '2024-03-02', visits: 7, by: { visitsByCountry: { DE: 4 } } }],
      },
    ]
    const { progress, state } = await run()
    expect([state, progress]).toMatchObject(['done', { made: 1, refused: 0, visits: 10 }])
    expect(await linkOf('code-1')).toMatchObject({
      tags: [{ name: 'Sale', color: '#123456' }],
      campaign: { name: 'Spring' },
      visits: { total: 10, undated: 3 },
      createdAt: '2024-03-01T10:00:00.000Z',
    })
    expect((await linnet.counts(await linkOf('code-1'))).visitsByCountry).toMatchObject({ DE: 4 })
    // Again: nothing twice, neither links nor visits.
    expect((await run()).progress).toMatchObject({ made: 0, kept: 1, visits: 0 })
    expect((await linkOf('code-1')).visits.total).toBe(10)
    expect((await linnet.visit('old')).location).toBe('https://example.com/1')
  })

  it('keep the minute of their last visit, also with more hours than are brought at once', async () => {
    const lastVisitAt = new Date('2024-05-20T10:41:42.123Z')
    const hours = Array.from({ length: 2_500 }, (_, hour) => ({
      ...{ at: new Date(Date.UTC(2024, 4, 20, 10 - hour)), visits: 1 },
    }))
    items = [
      link('1', { visits: 2_500, lastVisitAt }),
      { kind: 'counts', row: 'id 1', link: '1', part: 'all', counts: hours },
      // It says less than its counts.
      link('2', { visits: 2_500, lastVisitAt: new Date('2024-01-01T00:00:00Z') }),
      { kind: 'counts', row: 'id 2', link: '2', part: 'all', counts: hours },
    ]
    expect((await run()).progress).toMatchObject({ made: 2, visits: 5_000 })
    expect((await linkOf('code-1')).lastVisitAt).toBe(lastVisitAt.toISOString())
    expect((await linkOf('code-2')).lastVisitAt).toBe('2024-05-20T10:00:00.000Z')
  })

  it('whose totals grew get what came since, dated or not, also where the source forgets days', async () => {
    const of1 = (day: string, visits: number) => counts('1', day, visits)
    const total = async () => (await linkOf('code-1')).visits
    items = [link('1', { visits: 10 }), of1('2024-03-02', 7)]
    await run()
    items = [link('1', { visits: 15 }), of1('2024-03-02', 7), of1('2024-03-03', 2)]
    expect((await run()).progress).toMatchObject({ kept: 1, visits: 5 })
    expect(await total()).toEqual({ total: 15, undated: 6 })
    // Its days go back to yesterday only.
    items = [link('1', { visits: 20 }), of1('2024-03-03', 2), of1('2024-03-04', 1)]
    expect((await run()).progress).toMatchObject({ kept: 1, visits: 5 })
    expect(await total()).toEqual({ total: 20, undated: 10 })
    for (const visits of [20, 18]) {
      items = [link('1', { visits }), of1('2024-03-04', 1)]
      expect((await run()).progress.visits).toBe(0)
    }
    expect(await total()).toEqual({ total: 20, undated: 10 })
  })

  it('have the total that the source says, also where an earlier import knew it, and later ones know the days', async () => {
    const said = async () => (await linkOf('code-1')).visits
    const robots: Item = {
      ...{ kind: 'counts', row: 'id 1', link: '1', part: '2024-03-01' },
      counts: [{ at: '2024-03-01', visits: 0, by: { bots: 3 } }],
    }
    items = [link('1', { visits: 10 }), link('2')]
    await run()
    const rich = [link('1', { visits: 7 }), robots, counts('1', '2024-03-02', 4)]
    items = [...rich, counts('1', '2024-03-03', 3)]
    const { id, progress } = await run()
    expect(progress).toMatchObject({ made: 0, kept: 1, visits: 0 })
    expect(await report(id)).toEqual([
      'kept id 1: It is here already.',
      'changed id 1: An earlier import brought its visits as a sum, so their days do not come along: they would count twice.',
    ])
    expect(await said()).toEqual({ total: 10, undated: 10 })
    // What comes after it, comes with its day.
    linnet.at('2026-11-23T12:00:00Z')
    items = [link('1', { visits: 12 }), ...rich.slice(1), counts('1', '2026-11-22', 2)]
    expect((await run()).progress).toMatchObject({ visits: 2 })
    expect(await said()).toEqual({ total: 12, undated: 10 })
  })

  it('have it also where a later import names days in another way', async () => {
    items = [link('1', { visits: 20 }), counts('1', '2024-03-04', 6)]
    await run()
    const month: Item = { ...counts('1', '2024-03-04', 6), part: 'March' } as Item
    items = [link('1', { visits: 21 }), month, counts('1', '2024-03-05', 1)]
    expect((await run()).progress).toMatchObject({ visits: 1 })
    expect((await linkOf('code-1')).visits).toEqual({ total: 21, undated: 14 })
  })

  it('come although visits that were read with them are refused, which the report says once', async () => {
    const wrong: Item = {
      ...{ kind: 'counts', row: 'id 1', link: '1', part: '2024-03' },
      counts: [{ at: '2024-03-02', visits: 7, by: { visitsByNothing: { DE: 4 } } }],
    }
    items = [link('1', { visits: 9, undated: 2 }), wrong, link('2', { visits: 3, undated: 3 })]
    const { id, progress } = await run()
    expect(progress).toMatchObject({ made: 2, refused: 0, visits: 12 })
    expect((await linkOf('code-1')).visits).toEqual({ total: 9, undated: 2 })
    expect((await linkOf('code-2')).visits).toEqual({ total: 3, undated: 3 })
    const { body } = await linnet.api('GET', `/imports/${id}/rows`)
    expect(body.data).toMatchObject([
      { row: 'visits', sentence: expect.stringContaining('Numbers of visitsByNothing') },
    ])
  })

  it('whose codes are taken are refused, or get another if that was chosen, and say which', async () => {
    await linnet.create({ shortCode: 'code-1', originalUrl: 'https://example.net/' })
    items = [link('1'), link('2', { code: 'api' }), link('3')]
    const refused = await run()
    expect(refused.progress).toMatchObject({ made: 1, refused: 2 })
    expect(await report(refused.id)).toEqual([
      expect.stringMatching(/^refused id 1: .*taken/i),
      expect.stringMatching(/^refused id 2: .*reserved/i),
    ])
    const anew = await run({ options: { onTaken: 'new' } })
    expect(anew.progress).toMatchObject({ made: 2, changed: 2, kept: 1 })
    expect((await report(anew.id))[0]).toMatch(
      /^changed id 1: The short code code-1 is taken\. In place of code-1, it has \S+\.$/,
    )
    // The ones with other codes are known again, too.
    expect((await run({ options: { onTaken: 'new' } })).progress).toMatchObject({
      made: 0,
      kept: 3,
    })
  })

  it.each(['refuse', 'new'])(
    'have the same sentence in a trial as in the import, if the choice for codes is %s',
    async onTaken => {
      const other = await otherAccount(linnet)
      await other('POST', '/links', { short_code: 'theirs', original_url: 'https://example.net/' })
      await linnet.create({ shortCode: 'ours', originalUrl: 'https://example.net/' })
      const to = (originalUrl: string, more: object = {}) => ({ fields: { originalUrl, ...more } })
      items = [
        ...['theirs', 'ours', 'api', 'dashboard', 'a b', 'ü', 'x'.repeat(65), 'twice', 'twice'].map(
          (code, index) => link(`${index}`, { code }),
        ),
        ...[
          'nowhere',
          'javascript:alert(1)',
          'https://',
          `https://example.com/${'x'.repeat(9_000)}`,
        ].map((url, index) => link(`url ${index}`, to(url))),
        link('host', { host: 's.test' }),
        link('title', to('https://example.com/', { title: 7 })),
        link('ends', to('https://example.com/', { expiresAt: 'soon', maxVisits: -1 })),
        link('mood', to('https://example.com/', { mood: 'calm' })),
        link('code and url', { code: 'a b', ...to('nowhere') }),
        link('tag', { tags: ['x'.repeat(101)] }),
        link('half a letter', { tags: ['sur\ud800'], campaign: 'sur\ud800' }),
        link('campaign', { campaign: 'x'.repeat(101) }),
      ]
      const of = async (dryRun: boolean) => {
        const { id, progress } = await run({ dryRun, options: { onTaken } })
        const rows = (await report(id)).map((row: string) =>
          row.replace(/, it (has \S+|gets another)\.$/, ', …'),
        )
        const { made, changed, kept, refused } = progress
        return { rows: rows.toSorted(), sums: [made, changed, kept, refused] }
      }
      const tried = await of(true)
      expect(await of(false)).toEqual(tried)
      expect(tried.rows.length).toBeGreaterThan(15)
    },
  )

  it('are reported in the order in which they were read', async () => {
    const refused = (row: string): Item => ({ kind: 'refused', row, reason: 'It is none.' })
    const note: Item = { kind: 'note', row: 'id 3', sentence: 'Something else.' }
    items = [refused('id 0'), link('1', { code: 'api' }), refused('id 2'), note]
    items = [...items, ...['4', '5', '4a'].map(id => link(id, { code: 'a b' })), refused('id 6')]
    const rows = await report((await run()).id)
    expect(rows.map((row: string) => row.split(/[ :]/)[2])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '4a',
      '6',
    ])
  })

  it('come without what is off here, and say so; with a password they do not come', async () => {
    items = [
      link('1', { fields: { originalUrl: 'https://example.com/1', mood: 'calm' } }),
      link('2', { password: { text: 'open sesame' } }),
      link('3', {
        password: { hash: '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234' },
      }),
    ]
    const { id, progress } = await run()
    expect(progress).toMatchObject({ made: 1, changed: 1, refused: 2 })
    expect(await report(id)).toEqual([
      'changed id 1: Its mood could not come: This instance has no such field.',
      expect.stringMatching(/^refused id 2: It has a password, which it cannot have here/),
      expect.stringMatching(/^refused id 3: It has a password, which it cannot have here/),
    ])
    expect(JSON.stringify(await report(id))).not.toContain('sesame')
    items = [link('4', { fields: { originalUrl: 'https://example.com/4', mood: 'calm' } })]
    expect((await run({ options: { isStrict: true } })).progress).toMatchObject({ refused: 1 })
  })

  it('are tried as they would come: with hashes that nobody can check, codes that two have, and codes that cannot be', async () => {
    linnet = await linnet.restart([
      makeImports([source, ofFile]),
      ...features,
      'link.passwordProtection',
    ])
    const md5 = `md5:12345:${hash('md5', '12345secret')}`
    const bcrypt = `$2b$10$${'a'.repeat(53)}`
    items = [
      link('1', { password: { hash: md5 } }),
      link('2', { password: { hash: bcrypt } }),
      link('3', { code: 'code-2' }),
      link('4', { code: 'Ünï/x' }),
    ]
    const options = { onTaken: 'new' }
    const tried = await run({ dryRun: true, options })
    const sentences = async (id: string) =>
      (await report(id)).map((it: string) => it.replace(/it has \S+\.$/, 'it gets another.'))
    const said = await sentences(tried.id)
    expect(said.toSorted()).toEqual([
      'changed id 3: Another link of the import has the short code code-2. In place of code-2, it gets another.',
      expect.stringMatching(
        /^changed id 4: .* right format.* In place of Ünï\/x, it gets another\.$/,
      ),
      expect.stringMatching(/^refused id 1: \S/),
    ])
    const { id, progress } = await run({ options })
    expect(progress).toMatchObject({ made: 3, changed: 2, refused: 1 })
    expect(tried.progress).toEqual(progress)
    expect(await sentences(id)).toEqual(said)
  })

  it('that may lead nobody on have ended, or do not come', async () => {
    const startsAt = '2030-01-01T00:00:00.000Z'
    const fields = { originalUrl: 'https://example.com/1', startsAt }
    items = [link('1', { isClosed: true, fields }), link('2', { isArchived: true })]
    expect((await run()).progress).toMatchObject({ made: 2, refused: 0 })
    expect(await linkOf('code-1')).toMatchObject({ status: 'expired', archived: false })
    expect((await linnet.visit('code-1')).location).toBeUndefined()
    expect((await linnet.visit('code-2')).location).toBe('https://example.com/2')

    const others = features.filter(it => it !== 'link.linkExpiration')
    linnet = await linnet.restart([makeImports([source, ofFile]), ...others])
    items = [link('3', { isClosed: true })]
    const { id, progress } = await run()
    expect(progress).toMatchObject({ made: 0, refused: 1 })
    expect(await report(id)).toEqual([
      expect.stringMatching(/^refused id 3: It may lead nobody on, and cannot end here: \S/),
    ])
  })

  it('of a host that is not here are refused, unless it was said which host they get', async () => {
    items = [
      { kind: 'host', row: 'host 1', host: 's.test', rootUrl: 'https://example.com/home' },
      link('1', { host: 's.test' }),
      link('2', { host: 'go.example.org' }),
    ]
    const first = await run()
    expect(first.progress).toMatchObject({ made: 1, refused: 1 })
    expect(await report(first.id)).toEqual([
      expect.stringMatching(/^refused id 1: s\.test is no domain of the account here/),
    ])
    const second = await run({ options: { hosts: { 's.test': null } } })
    expect(second.progress).toMatchObject({ made: 1, kept: 1 })
    expect((await report(second.id))[0]).toMatch(/^note host 1: s\.test led to https:/)
  })

  it('bring what their hosts lead to besides, on a domain of the account for which nobody chose it', async () => {
    const txt: string[] = []
    linnet = await linnet.restart(
      [makeImports([source, ofFile]), ...features, 'organization.customDomains'],
      { resolveTxt: async () => txt },
    )
    const { data: domain } = (await linnet.api('POST', '/domains', { host: 'go.example.com' })).body
    txt.push(domain.verification.text)
    expect((await linnet.api('POST', `/domains/${domain.id}/verify`)).status).toBe(200)
    const [home, lost] = ['https://example.com/home', 'https://example.com/lost']
    const host = (name: string | null, more: object): Item => ({
      ...{ kind: 'host', row: 'host', host: name },
      ...more,
    })
    const now = async () => (await linnet.api('GET', `/domains/${domain.id}`)).body.data
    items = [
      host(null, { rootUrl: home }),
      host('go.example.com', { rootUrl: home, notFoundUrl: lost }),
    ]
    const { id } = await run({ dryRun: true })
    expect(await now()).toMatchObject({ rootUrl: null, notFoundUrl: null })
    await resume(id)
    expect(await report(id)).toEqual([
      `note host: The default host led to ${home} at its bare address. An admin can choose that on the page Front page.`,
      `note host: go.example.com led to ${home} at its bare address, and does so here.`,
      `note host: go.example.com led to ${lost} for unknown codes, and does so here.`,
    ])
    expect(await now()).toMatchObject({ rootUrl: home, notFoundUrl: lost })
    // What was chosen stays, and what is the same needs no word.
    items = [host('go.example.com', { rootUrl: `${home}/new`, notFoundUrl: lost })]
    expect(await report((await run()).id)).toEqual([
      `note host: go.example.com led to ${home}/new at its bare address. Something else was chosen here, which stays.`,
    ])
    expect(await now()).toMatchObject({ rootUrl: home, notFoundUrl: lost })
    // The same code can be on two hosts, as in programs whose default host answers for all.
    items = [link('1')]
    expect((await run()).progress.made).toBe(1)
    const options = { host: 'go.example.com' }
    expect((await run({ options })).progress.made).toBe(1)
    expect((await run({ options })).progress).toMatchObject({ made: 0, kept: 1 })
  })

  it('go to the accounts of their owners where an admin says so', async () => {
    await linnet.api('POST', '/admin/accounts', {
      ...{ email: 'bob@example.org', password: 'a long enough one', plan: 'unlimited' },
    })
    items = [link('1', { owner: 'Bob@example.org' }), link('2', { owner: 'eve@example.org' })]
    const { id } = await run({ options: { byOwner: true } })
    expect((await links()).map((it: { shortCode: string }) => it.shortCode)).toEqual(['code-2'])
    expect(await report(id)).toEqual([
      'changed id 2: There is no account eve@example.org here, so it came to you.',
    ])
    expect((await linnet.visit('code-1')).location).toBe('https://example.com/1')
  })
})

describe('keys', () => {
  const key: Item = {
    ...{ kind: 'key', row: 'api_keys id 1', name: 'Test, Website' },
    sha256: hash('sha256', 'an old key'),
  }
  const authorization = 'Bearer an old key'
  const tokens = async () => (await linnet.api('GET', '/api-tokens')).body.data

  it('go on with what they opened, where somebody chose that', async () => {
    items = [key]
    const { id } = await run()
    expect(await report(id)).toEqual([expect.stringMatching(/^note api_keys id 1: .*left out/)])
    expect(await tokens()).toEqual([])
    await run({ options: { keys: true } })
    // There is no plugin for domains here.
    const scopes = ['links:write', 'tags:write', 'analytics:read']
    expect(await tokens()).toMatchObject([{ name: 'Test, Website', scopes }])
    expect((await linnet.api('GET', '/links', undefined, { authorization })).status).toBe(200)
    expect((await linnet.api('GET', '/profile', undefined, { authorization })).status).toBe(403)
  })

  it('with which programs ask whose they are tell it here', async () => {
    items = [{ ...key, tellsOwner: true }]
    await run({ options: { keys: true } })
    expect((await linnet.api('GET', '/profile', undefined, { authorization })).status).toBe(200)
    const change = { full_name: 'Somebody' }
    expect((await linnet.api('PATCH', '/profile', change, { authorization })).status).toBe(403)
  })

  it('come only to the account of their owner, and the report names those that were left out', async () => {
    await linnet.api('POST', '/admin/accounts', {
      ...{ email: 'bob@example.org', password: 'a long enough one', plan: 'unlimited' },
    })
    const of = (owner: string | null, row: string): Item => ({
      ...{ ...key, row, name: `Test, ${owner}`, owner, tellsOwner: true },
      sha256: hash('sha256', `the key of ${owner}`),
    })
    const mail = 'ada@example.org'
    items = [
      of(mail.toUpperCase(), 'users id 1'),
      of('Bob@example.org', 'users id 2'),
      of('eve@example.org', 'users id 3'),
      of(null, 'users id 4'),
    ]
    const opens = async (owner: string | null) => {
      const own = { authorization: `Bearer the key of ${owner}` }
      return (await linnet.api('GET', '/profile', undefined, own)).body.data?.email
    }
    const leftOut = (row: number, owner: string | null, why: string) =>
      `note users id ${row}: The API key Test, ${owner} was left out: ${why}.`
    const noAddress = leftOut(4, null, 'its owner has no e-mail address')
    const elsewhere = ' has no account to which this import goes'
    const alone = [
      leftOut(2, 'Bob@example.org', `Bob@example.org${elsewhere}`),
      leftOut(3, 'eve@example.org', `eve@example.org${elsewhere}`),
      noAddress,
    ]
    const tried = await run({ dryRun: true, options: { keys: true } })
    expect(await report(tried.id)).toEqual(alone)
    expect(await tokens()).toEqual([])
    const { id } = await run({ options: { keys: true } })
    expect(await report(id)).toEqual(alone)
    expect(await opens(mail.toUpperCase())).toBe(mail)
    expect(await opens('Bob@example.org')).toBeUndefined()

    const whole = await run({ options: { keys: true, byOwner: true } })
    expect(await report(whole.id)).toEqual([
      leftOut(3, 'eve@example.org', 'eve@example.org has no account here'),
      noAddress,
    ])
    expect(await opens('Bob@example.org')).toBe('bob@example.org')
    expect(await opens('eve@example.org')).toBeUndefined()
    expect(await opens(null)).toBeUndefined()
    expect(await tokens()).toHaveLength(1)
  })

  it('that only read do not write here', async () => {
    items = [{ ...key, readsOnly: true }]
    await run({ options: { keys: true } })
    const body = { original_url: 'https://example.com/' }
    expect((await linnet.api('POST', '/links', body, { authorization })).status).toBe(403)
  })
})

describe('a run', () => {
  it('that is tried makes nothing, says what would come, and is done afterwards', async () => {
    await linnet.create({ shortCode: 'code-1' })
    items = [
      { kind: 'tag', row: 'tag 1', name: 'Sale' },
      link('1'),
      link('2', { tags: ['Sale'], visits: 3 }),
      link('3', { code: 'code-2' }),
    ]
    const tried = await run({ dryRun: true })
    expect(tried).toMatchObject({
      state: 'done',
      isDry: true,
      progress: { made: 1, refused: 2, visits: 3 },
    })
    expect(await links()).toHaveLength(1)
    expect((await linnet.api('GET', '/tags')).body.data).toEqual([])
    const done = await resume(tried.id)
    expect(done).toMatchObject({ isDry: false, progress: { made: 1, refused: 2, visits: 3 } })
    expect(await links()).toHaveLength(2)
    const more = await linnet.api('POST', `/imports/${tried.id}/resume`, { settings })
    expect([more.status, more.body.code]).toEqual([409, 'import_ended'])
  })

  it('says first, and once, that codes of a host need its wide grammar here', async () => {
    const rules = { grammar: 'wide', codes: 'exact', hyphens: 'strict' } as const
    const codes = ['a/b', 'c/d'].map(code => link(code, { code }))
    items = [{ kind: 'host', row: 'line 2', host: null, rules }, ...codes]
    const [first, ...others] = await report((await run({ dryRun: true })).id)
    expect(first).toBe(
      'note line 2: The default host has codes with slashes or other letters, which are refused here. Change the code rules of the host first.',
    )
    expect(others).toEqual(codes.map(({ row }) => expect.stringMatching(`^refused ${row}: `)))
  })

  it('whose source fails in the middle says why, keeps what came, and goes on from there', async () => {
    items = [
      link('1'),
      () => {
        throw new SourceError('Line 2 is no link. Repair it.')
      },
    ]
    const failed = await run()
    expect(failed).toMatchObject({ state: 'failed', sentence: 'Line 2 is no link. Repair it.' })
    items = [
      link('1', { visits: 2 }),
      () => {
        throw new Error('a bug')
      },
    ]
    expect(await resume(failed.id)).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(/^Something went wrong on the server/),
    })
    expect(linnet.log.join('\n')).toContain('An import failed')
    items = [link('1'), link('2')]
    expect((await resume(failed.id)).progress).toMatchObject({ made: 2, refused: 0, kept: 0 })
    expect(await links()).toHaveLength(2)
  })

  it('is stopped, says what stays, and can be stopped again; each account has one at a time', async () => {
    const half = Promise.withResolvers<void>()
    items = [
      ...Array.from({ length: 129 }, (_, index) => link(`${index}`)),
      () => half.resolve(),
      () =>
        new Promise((_, reject) =>
          asked?.signal.addEventListener('abort', () => reject(asked?.signal.reason)),
        ),
    ]
    const { id } = (await begin()).body.data
    await half.promise
    expect((await begin()).body.code).toBe('import_running')
    const stopped = await linnet.api('DELETE', `/imports/${id}`)
    expect(stopped.body.data).toMatchObject({
      state: 'stopped',
      sentence: 'You stopped it. What came stays, and it can go on.',
      progress: { made: 128 },
    })
    expect((await linnet.api('DELETE', `/imports/${id}`)).body.data.state).toBe('stopped')
    items = items.slice(0, 129)
    expect((await resume(id)).progress).toMatchObject({ made: 129, kept: 0 })
  })

  it('that a plan stops says so, and goes on when there is room', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', {
      limits: { max_links_created_per_month: 3 },
    })
    items = Array.from({ length: 5 }, (_, index) => link(`${index}`))
    const stopped = await run()
    expect(stopped.state).toBe('stopped')
    expect(stopped.sentence).toMatch(/plan/)
    expect((await links()).length).toBe(stopped.progress.made)
    await linnet.api('PATCH', '/admin/plans/unlimited', {
      limits: { max_links_created_per_month: 100 },
    })
    expect((await resume(stopped.id)).progress).toMatchObject({ made: 5, refused: 0, kept: 0 })
  })

  it('goes on by itself where a process left it, and makes nothing twice', async () => {
    const half = Promise.withResolvers<void>()
    const free = link('free', { code: null })
    const first = Array.from({ length: 127 }, (_, index) => [
      link(`${index}`, { visits: 5, undated: 2 }),
      counts(`${index}`, '2024-03-02', 3),
    ]).flat()
    items = [free, ...first, link('last'), () => half.resolve(), () => new Promise(() => undefined)]
    const { id } = (await begin()).body.data
    await half.promise
    await expect.poll(async () => (await show(id)).progress.made).toBe(128)
    // As after a kill: some links were made and not noted, and nobody looks after the run.
    await linnet.db
      .updateTable('organization_imports_items' as never)
      .set({ state: 'pending', link: null } as never)
      .where('source_id' as never, 'in', ['free', '90'] as never)
      .execute()
    await linnet.db
      .updateTable('organization_imports' as never)
      .set({ visits: 126 * 5 } as never)
      .execute()
    items = [free, ...first, link('last'), link('more')]
    linnet.at('2026-11-20T12:05:00Z')
    await linnet.run('organization.imports.goOn')
    // The process that was left behind still runs it here.
    linnet = await linnet.restart([makeImports([source, ofFile]), ...features], { filesFolder })
    await linnet.run('organization.imports.goOn')
    const done = await ended(id)
    expect(done).toMatchObject({ state: 'done', progress: { visits: 127 * 5 } })
    expect((await linnet.api('GET', '/links?per_page=1')).body.meta.total).toBe(130)
    for (const code of ['code-90', 'code-126'])
      expect((await linkOf(code)).visits).toEqual({ total: 5, undated: 2 })
    // What came with them is not brought once more by a later import either.
    expect((await run()).progress).toMatchObject({ made: 0, kept: 130, visits: 0 })
  })

  it('goes on by itself after its plugin was off', async () => {
    const half = Promise.withResolvers<void>()
    const all = Array.from({ length: 130 }, (_, index) => link(`${index}`, { visits: 2 }))
    items = [
      ...all,
      () => half.resolve(),
      () =>
        new Promise((_, reject) =>
          asked?.signal.addEventListener('abort', () => reject(asked?.signal.reason)),
        ),
    ]
    const { id } = (await begin()).body.data
    await half.promise
    const turn = (enabled: boolean) =>
      linnet.api('PATCH', '/admin/plugins/organization.imports', { enabled })
    expect((await turn(false)).status).toBe(200)
    expect((await linnet.api('GET', `/imports/${id}`)).status).not.toBe(200)
    items = all
    expect((await turn(true)).status).toBe(200)
    const state = async () => {
      await linnet.run('organization.imports.goOn')
      return (await show(id)).state
    }
    await expect.poll(state).toBe('done')
    expect((await show(id)).progress).toMatchObject({ made: 130, kept: 0, visits: 260 })
  })

  it('of a file begins although other servers take for ever', async () => {
    items = [() => new Promise(() => undefined)]
    const others: (() => Promise<string | null>)[] = []
    for (let count = 0; count < 5; count += 1) {
      const other = await otherAccount(linnet)
      const { id } = (await other('POST', '/imports', { source: 'test', settings })).body.data
      others.push(async () => (await other('GET', `/imports/${id}`)).body.data.sentence)
    }
    const waits = async () => (await Promise.all(others.map(say => say()))).filter(Boolean)
    await expect.poll(waits).toEqual(['It waits for its turn.'])
    const goOn = async (at: string) => {
      linnet.at(at)
      await linnet.run('organization.imports.goOn')
      return waits()
    }
    expect(await goOn('2026-11-20T12:29:00Z')).toEqual(['It waits for its turn.'])
    await expect.poll(() => goOn('2026-11-20T12:31:00Z')).toEqual([])
    const { id } = (await linnet.api('POST', '/imports', { source: 'lines' })).body.data
    const file = Buffer.from('https://example.com/a\n')
    await linnet.api('PUT', `/imports/${id}/file`, file, {
      'content-type': 'application/octet-stream',
    })
    expect((await ended(id)).progress.made).toBe(1)
  })

  it('is worked at by one of several servers', async () => {
    const plugin = makeImports([source, ofFile])
    let context: Context | undefined
    const setup: typeof plugin.setup = given => {
      context = given as unknown as Context
      return plugin.setup?.(given) as never
    }
    linnet = await linnet.restart([{ ...plugin, setup }, ...features])
    let readings = 0
    const note = () => {
      readings += 1
    }
    items = [note, link('1')]
    await run()
    const runners = Array.from({ length: 4 }, () => createRunner(context as Context, [source]))
    await linnet.db
      .updateTable('organization_imports' as never)
      .set({ state: 'running', runner: null } as never)
      .execute()
    await Promise.all(runners.map(it => it.pickUp()))
    await Promise.all(runners.map(it => it.settled()))
    expect(readings).toBe(2)
  })

  it('keeps its key encrypted, shows it nowhere, and forgets it at its end', async () => {
    const here = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    items = [() => here.resolve(), () => goOn.promise]
    const begun = await begin()
    await here.promise
    expect(asked?.settings).toEqual({ apiKey: 'very secret' })
    const rows = () =>
      linnet.db
        .selectFrom('organization_imports' as never)
        .selectAll()
        .execute()
    expect(JSON.stringify([begun.body, await rows()])).not.toContain('very secret')
    expect(await rows()).toMatchObject([{ secrets: expect.any(String) }])
    goOn.resolve()
    await ended(begun.body.data.id)
    expect(await rows()).toMatchObject([{ secrets: null }])
    const without = await linnet.api('POST', '/imports', { source: 'test' })
    expect(without.body).toMatchObject({
      errors: [{ field: 'settings.api_key', message: 'API key is missing.' }],
    })
  })
})

describe('a file', () => {
  const send = (id: string, content: Buffer) =>
    linnet.api('PUT', `/imports/${id}/file`, content, { 'content-type': 'text/plain' })
  const sendNew = async (content: Buffer) => {
    const { id } = (await linnet.api('POST', '/imports', { source: 'lines' })).body.data
    expect((await send(id, content)).status).toBe(200)
    return ended(id)
  }

  it('is unpacked as it is read, and one that is too large then, a zip or broken is refused', async () => {
    const packed = gzipSync('https://example.com/a\nhttps://example.com/b\n')
    expect((await sendNew(packed)).progress).toMatchObject({ made: 2 })
    const bomb = gzipSync(Buffer.alloc(40_000_000))
    expect((await sendNew(bomb)).sentence).toMatch(/unpacks to more than \d+ bytes/)
    expect((await sendNew(packed.subarray(0, 30))).sentence).toMatch(/is not whole/)
    expect((await sendNew(Buffer.from('PK\x03\x04 and more'))).sentence).toMatch(/is a zip file/)
    // Those that failed can go on for a day; that of the one that is done is gone.
    expect(readdirSync(join(filesFolder, 'organization.imports'))).toHaveLength(3)
  })

  it('is refused where there is little memory, before it is sent, whenever its import began', async () => {
    const failed = await sendNew(Buffer.from('PK\x03\x04 and more'))
    const waiting = (await linnet.api('POST', '/imports', { source: 'lines' })).body.data
    const start = async (of: Source) => {
      linnet = await linnet.restart([makeImports([source, of]), ...features], { filesFolder })
    }
    await start(apart(ofFile, 191))
    const sources = (await linnet.api('GET', '/imports/sources')).body.data
    const { refusal } = sources[1].file
    expect(refusal).toContain('needs 192 MiB of memory')
    const other = await otherAccount(linnet)
    const answers = [
      await other('POST', '/imports', { source: 'lines' }),
      await other('POST', '/imports', { source: 'lines', dry_run: true }),
      await send(waiting.id, Buffer.from('https://example.com/\n')),
      await linnet.api('POST', `/imports/${failed.id}/resume`, {}),
    ]
    for (const { status, body } of answers) {
      expect(body).toMatchObject({ code: 'too_little_memory', detail: refusal })
      expect(status).toBe(409)
    }
    const command = linnet.command('import', 'lines', 'a.txt', '--account', 'ada@example.org')
    await expect(command).rejects.toThrow(refusal)
    // One that began with more memory.
    await linnet.api('DELETE', `/imports/${waiting.id}`)
    await linnet.db
      .updateTable('organization_imports' as never)
      .set({ state: 'running' } as never)
      .where('file_bytes' as never, 'is not', null)
      .execute()
    await linnet.run('organization.imports.goOn')
    expect(await ended(failed.id)).toMatchObject({ state: 'stopped', sentence: refusal })
    await start(ofFile)
    expect((await resume(failed.id, {})).sentence).toMatch(/is a zip file/)
  })

  it('comes once, is not empty, and belongs to an import that waits for it', async () => {
    expect((await send('imp_nothing', Buffer.from('x'))).status).toBe(404)
    const { id } = (await linnet.api('POST', '/imports', { source: 'lines' })).body.data
    expect((await send(id, Buffer.alloc(0))).status).toBe(422)
    expect((await send(id, Buffer.from('https://example.com/\n'))).status).toBe(200)
    expect((await send(id, Buffer.from('https://example.com/\n'))).body.code).toBe('import_ended')
    await ended(id)
    const waiting = (await linnet.api('POST', '/imports', { source: 'lines' })).body.data
    expect(waiting.state).toBe('waiting')
    linnet.at('2026-11-22T12:00:00Z')
    await linnet.run('organization.imports.tidy')
    expect(await show(waiting.id)).toMatchObject({
      state: 'stopped',
      sentence: 'Its file did not come within a day.',
    })
  })
})
