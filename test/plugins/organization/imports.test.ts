import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { definePlugin, type Event } from '../../../core/plugin.ts'
import imports from '../../../plugins/organization/imports.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from './other-account.ts'

let linnet: Harness
let filesFolder: string
const needed = [
  'link.customShortCode',
  'link.passwordProtection',
  'organization.tags',
  'analytics.visitsTracking',
  'developer.apiKeys',
] as const

beforeEach(async () => {
  filesFolder = mkdtempSync(join(tmpdir(), 'linnet-imports-'))
  linnet = await boot([imports, ...needed], { filesFolder })
})
afterEach(async () => {
  await linnet.stop()
  rmSync(filesFolder, { recursive: true })
})

const begin = (body: object = {}) => linnet.api('POST', '/imports', { source: 'csv', ...body })
const send = (id: string, content: string | Buffer) =>
  linnet.api('PUT', `/imports/${id}/file`, Buffer.from(content), {
    'content-type': 'application/octet-stream',
  })
const show = async (id: string) => (await linnet.api('GET', `/imports/${id}`)).body.data

async function ended(id: string) {
  await expect.poll(async () => (await show(id)).state).toMatch(/done|stopped|failed/)
  return show(id)
}

/** Imports a file, and resolves to the import when it has ended. */
async function importFile(content: string | Buffer, body: object = {}) {
  const begun = await begin(body)
  expect(begun.status).toBe(202)
  const { id } = begun.body.data
  expect((await send(id, content)).status).toBe(200)
  return ended(id)
}
const rowsOf = async (id: string, query = '') =>
  (await linnet.api('GET', `/imports/${id}/rows${query}`)).body.data
const links = async () => (await linnet.api('GET', '/links?per_page=100&sort=created_at')).body.data
const codes = async () =>
  (await links()).map(({ shortCode }: { shortCode: string }) => shortCode).sort()

const table = `code,originalUrl,tags,visits,createdAt
spring,https://example.com/spring,"sale, 2024",12,2024-03-01T10:00:00Z
autumn,https://example.com/autumn,,0,2024-09-01T10:00:00Z
`

it('a file is imported, with its codes, dates, tags and visits', async () => {
  const run = await importFile(table)
  expect(run).toMatchObject({
    state: 'done',
    sentence: null,
    isDry: false,
    progress: { made: 2, changed: 0, kept: 0, refused: 0, visits: 12 },
    file: { bytes: Buffer.byteLength(table) },
  })
  const [spring] = (await links()).filter((it: { shortCode: string }) => it.shortCode === 'spring')
  expect(spring).toMatchObject({
    originalUrl: 'https://example.com/spring',
    createdAt: '2024-03-01T10:00:00.000Z',
    visits: { total: 12, undated: 12 },
  })
  expect(spring.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['2024', 'sale'])
  // Its file goes once the end is noted.
  await expect.poll(() => readdirSync(join(filesFolder, 'organization.imports'))).toEqual([])
})

it('the end of an import is told to plugins that hear of it, and that of a try is not', async () => {
  const told: Event[] = []
  const listener = definePlugin({
    feature: 'a.listener',
    about: 'Hear of imports in a test.',
    events: { kinds: ['import'], handle: event => void told.push(event) },
  })
  linnet = await linnet.restart([imports, listener, ...needed])
  await importFile(table, { dryRun: true })
  const { id } = await importFile(table)
  await linnet.settled()
  expect(told).toMatchObject([
    {
      type: 'import.updated',
      accountId: linnet.account.rowId,
      after: { id, source: 'CSV file', state: 'done', made: 2, visits: 12, byCommand: false },
    },
  ])
})

it('what is imported again makes nothing twice', async () => {
  await importFile(table)
  const again = await importFile(table)
  expect(again.progress).toMatchObject({ made: 0, kept: 2, refused: 0, visits: 0 })
  expect(await codes()).toEqual(['autumn', 'spring'])
  const [spring] = (await links()).filter((it: { shortCode: string }) => it.shortCode === 'spring')
  expect(spring.visits.total).toBe(12)
  expect(await rowsOf(again.id)).toHaveLength(2)
})

it('the command tries and does the same, says what came, and writes the report', async () => {
  const file = join(filesFolder, 'links.csv')
  writeFileSync(file, `${table}api,https://example.com/api,,0,\n`)
  const run = (...more: readonly string[]) =>
    linnet.command('import', 'csv', file, '--account', 'ada@example.org', ...more)
  expect((await run('--dry-run')).at(-1)).toMatch(
    /^2 links would come \(0 in another way\) with 12 visits, 0 were here, 1 was refused\. imp_/,
  )
  expect(await codes()).toEqual([])
  const report = join(filesFolder, 'report.csv')
  const lines = await run('--report', report)
  expect(lines[0]).toMatch(/^refused: .*reserved/i)
  expect(lines.at(-1)).toMatch(/^2 links came .* with 12 visits, 0 were here, 1 was refused/)
  expect(readFileSync(report, 'utf8')).toMatch(/^\ufeffoutcome,row,link,sentence\r\nrefused,/)
  // The same command again has another report.
  await run('--report', report)
  expect(readFileSync(report, 'utf8')).toContain('\r\nkept,')
  writeFileSync(report, 'of something else')
  await expect(run('--report', report)).rejects.toThrow('is there already, and is no report')
  expect(readFileSync(report, 'utf8')).toBe('of something else')
  expect(await codes()).toEqual(['autumn', 'spring'])
})

it('the command waits for another import of the account, and goes on after it with the one that failed', async () => {
  const file = join(filesFolder, 'links.csv')
  const run = () => linnet.command('import', 'csv', file, '--account', 'ada@example.org')
  writeFileSync(file, 'mood\ncalm\n')
  await expect(run()).rejects.toThrow(
    /Name the column, such as originalUrl=Long URL\. What came stays\. Mend the file or make another, and run the command with that: nothing comes twice\.$/,
  )
  const [failed] = (await linnet.api('GET', '/imports')).body.data
  expect(failed.state).toBe('failed')
  const other = (await begin()).body.data
  await expect(run()).rejects.toThrow('Another import of this account has not ended.')
  expect(await show(failed.id)).toEqual(failed)
  await linnet.api('DELETE', `/imports/${other.id}`)
  writeFileSync(file, table)
  expect((await run()).at(-1)).toMatch(/^2 links came /)
  expect((await show(failed.id)).state).toBe('done')
})

it('one alone goes on with an import whose command was killed, of two commands at once', async () => {
  const file = join(filesFolder, 'links.csv')
  const run = () => linnet.command('import', 'csv', file, '--account', 'ada@example.org')
  writeFileSync(file, 'mood\ncalm\n')
  await expect(run()).rejects.toThrow('Mend the file')
  writeFileSync(file, table)
  await linnet.db
    .updateTable('organization_imports' as never)
    .set({ state: 'running', beat_at: 0, active_of: sql`account_id` } as never)
    .execute()
  const [one, other] = await Promise.allSettled([run(), run()])
  const ends = [one, other].map(({ status }) => status).sort()
  expect(ends).toEqual(['fulfilled', 'rejected'])
  const refused = [one, other].find(it => it.status === 'rejected')
  expect(`${refused?.reason}`).toContain('This import was heard of less than half a minute ago.')
  expect(await codes()).toEqual(['autumn', 'spring'])
})

it.each([
  [['nothing'], /nothing/],
  [['csv'], 'CSV file is read from a file: name it after csv.'],
  [['csv', 'missing.csv'], 'There is no file missing.csv.'],
  [['bitly'], 'API key is missing: give the variable BITLY_TOKEN, or name a file.'],
  [['kutt'], 'Address of Kutt is missing: give --setting url=…, or name a file.'],
  [['csv', '.'], '. is no file.'],
  [['csv', 'package.json', '--setting', 'mood=calm'], /There is no such setting/],
  [
    ['csv', 'package.json', '--setting', 'mood'],
    '--setting needs a name, an equals sign and a value.',
  ],
  [
    ['csv', 'package.json', '--secret-from', '-'],
    '--secret-from is for a source that asks for one key.',
  ],
])('the command says what is wrong with %j', async (words, problem) => {
  const asked = linnet.command('import', ...words, '--account', 'ada@example.org')
  await expect(asked).rejects.toThrow(problem)
})

const manyHosts = Object.fromEntries(
  Array.from({ length: 101 }, (_, at) => [`h${at}.example`, null]),
)

it.each([
  [{ source: 'nothing' }, 'source'],
  [{ settings: { mood: 'calm' } }, 'settings.mood'],
  [{ options: { onTaken: 'guess' } }, 'options.onTaken'],
  [{ withFile: false }, 'withFile'],
  [{ options: { hosts: manyHosts } }, 'options.hosts'],
  [{ source: 'bitly', settings: { key: 'x'.repeat(4_000) } }, 'settings.key'],
])('an import is refused that says %j', async (body, field) => {
  const { status, body: problem } = await begin(body)
  expect([status, problem.errors[0].field]).toEqual([422, field])
})

it.each([
  ['bitly', 'key'],
  ['dub', 'key'],
  ['rebrandly', 'key'],
  ['short-io', 'key'],
  ['sink', 'server', 'key'],
  ['shlink', 'url', 'key'],
  ['kutt', 'url', 'key'],
  ['yourls', 'url', 'signature'],
  ['chhoto', 'url', 'key'],
])(
  'an import from %s is refused at once without what its server takes',
  async (source, ...names) => {
    const settings: Record<string, string> = {}
    for (const name of names) {
      const { status, body } = await linnet.api('POST', '/imports', { source, settings })
      expect([status, body.errors]).toMatchObject([422, [{ field: `settings.${name}` }]])
      settings[name] = 'https://s.example.com'
    }
    // A file needs none of them.
    const begun = await linnet.api('POST', '/imports', { source, withFile: true })
    expect([begun.status, begun.body.data?.state]).toEqual([202, 'waiting'])
  },
)

it('an import belongs to its account', async () => {
  const { id } = (await begin()).body.data
  const other = await otherAccount(linnet)
  expect((await other('GET', `/imports/${id}`)).status).toBe(404)
  expect((await other('DELETE', `/imports/${id}`)).status).toBe(404)
  expect((await other('GET', '/imports')).body.data).toEqual([])
  const forAll = await other('POST', '/imports', { source: 'csv', options: { byOwner: true } })
  expect([forAll.status, forAll.body.errors[0].field]).toEqual([403, 'options.byOwner'])
})

it('a report is a file for spreadsheets, in which no text is run', async () => {
  const { id } = await importFile(
    'code,originalUrl\n=cmd,https://example.com/\napi,https://example.com/\n',
  )
  const { headers, body } = await linnet.api('GET', `/imports/${id}/report`)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="import-csv.csv"')
  expect(`${body}`).toMatch(/^\ufeffoutcome,row,link,sentence\r\n/)
})

it('a report of any length is whole and in its order, and others have their turn after each few hundred rows', async () => {
  const { id } = await importFile('code,originalUrl\nfirst,nowhere\n')
  await sql`insert into organization_imports_rows (import_id, number, outcome, place, sentence, digest)
    with recursive more (number) as (select 2 union all select number + 1 from more where number < 5000)
    select import_id, more.number, outcome, 'line ' || (more.number + 1), '=1+1', 'digest ' || more.number
    from organization_imports_rows, more`.execute(linnet.db)
  let turns = 0
  const count = () => {
    turns += 1
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const { body } = await linnet.api('GET', `/imports/${id}/report`)
  clearImmediate(turn)
  const [head, first, ...others] = `${body}`.trimEnd().split('\r\n')
  expect([head, first]).toEqual([
    '\ufeffoutcome,row,link,sentence',
    expect.stringMatching(/^refused,line 2,/),
  ])
  expect(others).toEqual(
    Array.from({ length: 4_999 }, (_, row) => `refused,line ${row + 3},,'=1+1`),
  )
  expect(turns).toBeGreaterThanOrEqual(20)
})
