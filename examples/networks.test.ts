import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin, { readNetworks } from './networks.js'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const url = 'https://lists.example.org/networks.csv'

it('counts visits by the networks of a list that a job fetches', async t => {
  const filesFolder = mkdtempSync(join(tmpdir(), 'networks-'))
  t.after(() => rmSync(filesFolder, { recursive: true }))
  let list = '203.0.113.0/24,Office\n2001:db8::/32,Office\n198.51.100.0/24,University\n'
  const linnet = await boot(plugin, {
    filesFolder,
    settings: { plugins: { settings: { 'custom.networks': { list: url } } } },
    fetch: async () => ({
      ...{ status: 200, url, headers: new Headers(), isWhole: true },
      body: Buffer.from(list),
    }),
  })
  t.after(() => linnet.stop())
  const link = await linnet.create()
  const visit = (ip: string) => linnet.visit(link, { ip, headers: { 'user-agent': browser } })
  const networks = async () => (await linnet.counts(link)).visitsByNetwork
  await linnet.run('custom.networks.fetchList')
  for (const ip of ['203.0.113.7', '2001:db8::7', '198.51.100.7', '192.0.2.7']) await visit(ip)
  assert.deepEqual(await networks(), { Office: 2, University: 1 })

  list = 'no list\n'
  await assert.rejects(linnet.run('custom.networks.fetchList'))
  await visit('203.0.113.8')
  assert.deepEqual(await networks(), { Office: 3, University: 1 })
})

it('reads no line that is not a network', () => {
  for (const line of [
    'nonsense',
    '203.0.113.0/24',
    '203.0.113.0/99,Office',
    '300.0.0.0/8,Office',
  ]) {
    assert.throws(() => readNetworks(Buffer.from(line)), line)
  }
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
