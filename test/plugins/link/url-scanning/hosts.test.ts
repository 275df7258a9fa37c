import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import urlScanning from '../../../../plugins/link/url-scanning.ts'
import customDomains from '../../../../plugins/organization/custom-domains.ts'
import { boot, type Harness } from '../../../harness.ts'
import { makeInternet } from '../../organization/custom-domains/internet.ts'

const host = 'links.example.com'
const rootUrl = 'https://turned.example/front'
const notFoundUrl = 'https://example.net/lost'

let linnet: Harness
let list: string

beforeEach(async () => {
  list = join(mkdtempSync(join(tmpdir(), 'linnet-lists-')), 'harmful.txt')
  writeFileSync(list, 'evil.example\n')
  const internet = makeInternet()
  const settings = { plugins: { settings: { 'link.urlScanning': { lists: [list] } } } }
  linnet = await boot([urlScanning, customDomains], { ...internet, settings })
  const { body } = await linnet.api('POST', '/domains', { host, rootUrl, notFoundUrl })
  const { id, verification } = body.data
  internet.txt.set(verification.dns.name, [verification.text])
  await linnet.api('POST', `/domains/${id}/verify`)
})
afterEach(async () => {
  await linnet.stop()
  rmSync(dirname(list), { recursive: true })
})

const rescan = () => linnet.run('link.urlScanning.rescan')
const on = (path: string) => linnet.visit(path, { headers: { host } })
const change = async (fields: object) => {
  const { body } = await linnet.api('GET', '/domains')
  return linnet.api('PATCH', `/domains/${body.data[0].id}`, fields)
}

describe('an address of a domain', () => {
  it.each([
    ['https://www.evil.example/page', 'on the list harmful.txt'],
    ['https://xn--pypal-4ve.com/', 'letters that look like others'],
    ['http://8.8.8.8/', 'IP address'],
  ])('%s is refused as that of a link is, made or changed', async (address, why) => {
    for (const field of ['root_url', 'not_found_url']) {
      const made = await linnet.api('POST', '/domains', { host: 'b.example.com', [field]: address })
      const changed = await change({ [field]: address })
      for (const { status, body } of [made, changed]) {
        expect([status, body.code]).toEqual([422, 'unsafe_url'])
        expect(body.errors).toMatchObject([{ field, message: expect.stringContaining(why) }])
      }
    }
    expect((await on('')).location).toBe(rootUrl)
  })

  it('is taken while scanning is switched off, as that of a link is', async () => {
    await linnet.api('PATCH', '/admin/features', { urlScanningEnabled: false })
    expect((await change({ root_url: 'https://evil.example/' })).status).toBe(200)
  })
})

describe('a domain whose address turns out to be harmful', () => {
  beforeEach(async () => {
    expect((await on('')).location).toBe(rootUrl)
    writeFileSync(list, 'evil.example\nturned.example\n')
    await rescan()
  })

  it('leads nobody there any more, also after a restart, and elsewhere as ever', async () => {
    const blocked = await on('')
    expect([blocked.status, blocked.location]).toEqual([451, undefined])
    expect(blocked.text).toContain('on the list harmful.txt')
    expect(blocked.text).not.toContain('turned.example')
    expect((await on('nothing')).location).toBe(notFoundUrl)
    expect(linnet.log.join()).toContain(`${host} led to a URL that is on the list`)

    linnet = await linnet.restart([urlScanning, customDomains])
    expect((await on('')).status).toBe(451)
  })

  it.each([
    ['de', 'Sein Ziel steht auf der Liste harmful.txt.'],
    ['fr', 'sa destination figure sur la liste harmful.txt.'],
    ['es', 'su destino figura en la lista harmful.txt.'],
  ])('says in %s why', async (language, why) => {
    const { text } = await linnet.visit('', { headers: { host, 'accept-language': language } })
    expect(text).toContain(why)
  })

  it('leads on once its address is another, or is on no list any more', async () => {
    await change({ root_url: 'https://example.org/' })
    expect((await on('')).location).toBe('https://example.org/')
    writeFileSync(list, 'evil.example\n')
    await rescan()
    await change({ root_url: rootUrl })
    expect((await on('')).location).toBe(rootUrl)
  })

  it('stays blocked when the list cannot be read', async () => {
    rmSync(list)
    linnet = await linnet.restart([urlScanning, customDomains])
    await rescan()
    expect((await on('')).status).toBe(451)
  })
})
