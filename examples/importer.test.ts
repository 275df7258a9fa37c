import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './importer.js'

it('imports links with their codes, dates and aliases, and reports on each line', async t => {
  const linnet = await boot(plugin, { at: '2026-11-20T12:00:00Z' })
  t.after(() => linnet.stop())
  const lines = [
    { url: 'https://example.com/a', code: 'a', title: 'A', created: '2019-05-01T10:00:00+02:00' },
    { url: 'https://example.com/b', code: 'b', aliases: ['b-old', 'b-older'] },
    { url: 'https://example.com/c', code: 'c', aliases: ['a'] },
    { url: 'ftp://example.com/' },
    { link: 'https://example.com/' },
  ]
  const text = [...lines.map(line => JSON.stringify(line)), 'no JSON'].join('\n')
  const { status, body } = await linnet.api('POST', '/import/lines', { lines: text })
  assert.equal(status, 200)
  const problems = body.data.map(({ problem }: { problem: string | null }) => problem)
  assert.deepEqual(problems.slice(0, 3), [null, null, 'formerCodes[0]: The short code a is taken.'])
  assert.match(problems[3], /^originalUrl: /)
  assert.equal(problems.length, 6)
  const { data } = (await linnet.api('GET', '/links/lookup?short_code=a')).body
  assert.equal(data.createdAt, '2019-05-01T08:00:00.000Z')
  assert.equal(data.title, 'A')
  assert.equal((await linnet.visit('b-older')).location, 'https://example.com/b')
  assert.equal((await linnet.visit('c')).status, 404)
})

it('imports a file by a command, for the account that it is told', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const folder = mkdtempSync(join(tmpdir(), 'importer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'links.jsonl')
  writeFileSync(
    file,
    '{"url":"https://example.com/a","code":"a"}\n\n{"url":"https://example.com/b"}\n',
  )
  const words = ['import-lines', file, '--account', 'ada@example.org']
  assert.deepEqual(await linnet.command(...words), ['2 of 2 links were imported.'])
  assert.equal((await linnet.visit('a')).location, 'https://example.com/a')
  await assert.rejects(linnet.command(...words), /Some lines were not imported/)
  await assert.rejects(linnet.command('import-lines', file), /required option '--account <text>'/)
})

it('imports visits with their days and countries, and a rest without dates', async t => {
  const linnet = await boot(plugin, { at: '2026-11-20T12:00:00Z' })
  t.after(() => linnet.stop())
  const days = [
    { day: '2024-05-03', visits: 12, countries: { DE: 9 } },
    { day: '2024-05-04', visits: 3 },
  ]
  const lines = JSON.stringify({ url: 'https://example.com/', code: 'a', visits: 1000, days })
  await linnet.api('POST', '/import/lines', { lines })
  // Importing it again is refused as a whole: nothing counts twice.
  const again = await linnet.api('POST', '/import/lines', { lines })
  assert.match(again.body.data[0].problem, /^shortCode: /)
  const shown = async () => (await linnet.api('GET', '/links/lookup?short_code=a')).body.data
  const { id, visits } = await shown()
  assert.deepEqual([visits.total, visits.undated], [1000, 985])
  const { data } = (await linnet.api('GET', `/links/${id}/analytics?interval=all`)).body
  assert.equal(data.totals.visits, 15)
  assert.equal(data.undated, 985)
  const [first] = data.visitsByCountry.filter(({ value }: { value: string }) => value === 'DE')
  assert.equal(first.visits, 9)
  const part = { part: 'May', days: [{ day: '2024-05-05', visits: 5 }] }
  for (const isNew of [true, false]) {
    const { body } = await linnet.api('POST', `/import/links/${id}/days`, part)
    assert.deepEqual(body.data, { isNew })
  }
  assert.equal((await shown()).visits.total, 1005)
})

it('says which line has visits that cannot have been', async t => {
  const linnet = await boot(plugin, { at: '2026-11-20T12:00:00Z' })
  t.after(() => linnet.stop())
  const days = [{ day: '2024-05-03', visits: 1, countries: { DE: 9 } }]
  const lines = JSON.stringify({ url: 'https://example.com/', code: 'a', days })
  const { body } = await linnet.api('POST', '/import/lines', { lines })
  assert.match(body.data[0].problem, /^visits.counts: 2024-05-03 has 9 visits in visitsByCountry/)
  assert.equal((await linnet.visit('a')).status, 404)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
