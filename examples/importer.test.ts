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

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
