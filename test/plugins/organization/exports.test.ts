import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import exports from '../../../plugins/organization/exports.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-exports-'))
  linnet = await boot(
    [
      exports,
      'link.customShortCode',
      'link.editShortCode',
      'link.linkExpiration',
      'link.passwordProtection',
      'link.redirectStatus',
      'organization.tags',
      'organization.campaigns',
      'organization.customDomains',
      'analytics.visitsTracking',
      'analytics.visitsByBrowser',
    ],
    { at: '2026-11-26T12:00:00Z', filesFolder: join(folder, 'files') },
  )
})
afterEach(async () => {
  await linnet.stop()
  rmSync(folder, { recursive: true })
})

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

async function exported(path = '/export') {
  const answer = await linnet.api('GET', path)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/jsonl'])
  return linesOf(String(answer.body))
}

describe('an export', () => {
  it('has a line for each thing, and ends with how many there are', async () => {
    const { body: tag } = await linnet.api('POST', '/tags', { name: 'Spring', color: '#112233' })
    const { body: campaign } = await linnet.api('POST', '/campaigns', { name: 'Sale' })
    const link = await linnet.create({
      shortCode: 'spring',
      title: 'Spring',
      maxVisits: 5,
      tagIds: [tag.data.id],
      campaignId: campaign.data.id,
    })
    await linnet.visit(link)
    await linnet.visit(link)
    const lines = await exported()
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['export', 'host', 'tag', 'campaign', 'link', 'counts', 'end'],
    ])
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: 6 })
    expect(lines[4]).toMatchObject({
      ...{ id: link.id, host: null, code: 'spring', formerCodes: [], tags: ['Spring'] },
      ...{ campaign: 'Sale', visits: { total: 2 }, isArchived: false },
      fields: { originalUrl: 'https://example.com/', title: 'Spring', maxVisits: 5 },
      shown: { visitsLeft: 3, hasPassword: false, status: 'active' },
    })
    expect(lines[4]).not.toHaveProperty('hashed')
    expect(lines[5]).toMatchObject({
      ...{ kind: 'counts', link: link.id, part: '1' },
      counts: [{ at: '2026-11-26T12:00:00.000Z', visits: 2 }],
    })
  })

  it('of the API has no hashes of passwords, and that of the server has them where they are wanted', async () => {
    await linnet.create({ shortCode: 'shut', password: 'open sesame' })
    expect(JSON.stringify(await exported())).not.toContain('scrypt:')
    expect(JSON.stringify(await exported('/admin/export'))).not.toContain('scrypt:')
    await linnet.command('export', join(folder, 'all.jsonl'))
    await linnet.command('export', join(folder, 'hashes.jsonl.gz'), '--hashes')
    const without = readFileSync(join(folder, 'all.jsonl'), 'utf8')
    expect(without).not.toContain('scrypt:')
    const whole = gunzipSync(readFileSync(join(folder, 'hashes.jsonl.gz'))).toString()
    const [shut] = linesOf(whole).filter(({ kind }) => kind === 'link')
    expect(shut.hashed).toEqual({ password: expect.stringMatching(/^scrypt:/) })
    expect(statSync(join(folder, 'all.jsonl')).mode & 0o77).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'hashes.jsonl.gz'])
  })

  it('is of one account, or of all', async () => {
    await linnet.create({ shortCode: 'mine' })
    const owner = (await exported()).find(({ kind }) => kind === 'link').owner
    const printed = await linnet.command(
      ...['export', join(folder, 'one.jsonl'), '--account', owner],
    )
    expect(printed).toEqual(['one.jsonl has 4 lines.'])
    const [first] = linesOf(readFileSync(join(folder, 'one.jsonl'), 'utf8'))
    expect(first).toMatchObject({ kind: 'export', version: 1, of: 'account' })
    expect((await exported('/admin/export'))[0]).toMatchObject({ of: 'instance' })
  })

  it('writes over no file', async () => {
    await linnet.command('export', join(folder, 'all.jsonl'))
    await expect(linnet.command('export', join(folder, 'all.jsonl'))).rejects.toThrow(
      /is there already\. Name another one\./,
    )
  })

  it('has former short codes, of which each leads on', async () => {
    const link = await linnet.create({ shortCode: 'first' })
    await linnet.api('PATCH', `/links/${link.id}`, { short_code: 'second' })
    const found = (await exported()).find(({ kind }) => kind === 'link')
    expect([found.code, found.formerCodes]).toEqual(['second', ['first']])
  })
})

describe('a bundle of files', () => {
  const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8')

  it('has the links that lead everybody to one address, and says why it has no others', async () => {
    const link = await linnet.create({ shortCode: 'first', redirectStatus: 301 })
    await linnet.api('PATCH', `/links/${link.id}`, { short_code: 'second' })
    await linnet.create({ shortCode: 'shut', password: 'open sesame' })
    await linnet.create({ shortCode: 'twice', maxVisits: 2 })
    await linnet.create({ shortCode: 'plain', originalUrl: 'https://example.com/?a=$b' })
    const printed = await linnet.command('export', '--static', 'json', join(folder, 'out'))
    expect(printed[0]).toMatch(/^3 short URLs are in .*, and 2 links are left out\.$/)
    const links = JSON.parse(read('links.json'))
    const [host = ''] = Object.keys(links)
    expect(links[host]).toEqual({
      '/second': { status: 301, location: 'https://example.com/' },
      '/first': { status: 301, location: 'https://example.com/' },
      '/plain': { status: 302, location: 'https://example.com/?a=$b' },
    })
    expect(read('left-out.txt').replaceAll(/^\S+\//gm, '')).toBe(
      'shut it asks for a password\ntwice it has dates, or a limit of visits\n',
    )
    expect(read('README.md')).toContain('left-out.txt')
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      ...['README.md', 'left-out.txt', 'links.json'],
    ])
  })

  it('is downloaded for all servers at once, as an archive that tar opens', async () => {
    const host = `${'long-part-of-a-name.'.repeat(6)}example.com`
    await linnet.api('POST', '/admin/domains', { host })
    await linnet.create({ shortCode: 'plain', domain: host })
    await linnet.create({ shortCode: 'shut', password: 'open sesame' })
    const left = join(folder, 'files', 'organization.exports', 'static-left')
    mkdirSync(left, { recursive: true })
    utimesSync(left, 0, 0)
    for (const path of ['/export/static?status=308', '/admin/export/static']) {
      const { status, headers, body } = await linnet.api('GET', path)
      expect([status, headers['content-type']]).toEqual([200, 'application/gzip'])
      mkdirSync(join(folder, 'out'), { recursive: true })
      execFileSync('tar', ['-xzf', '-', '-C', join(folder, 'out')], { input: body })
      const is = path === '/export/static?status=308' ? 308 : 302
      expect(JSON.parse(read('json/links.json'))).toEqual({
        [host]: { '/plain': { status: is, location: 'https://example.com/' } },
      })
      expect(read('nginx/linnet.conf')).toContain(`return ${is} "https://example.com/"`)
      expect(read(`_redirects/${host}/_redirects`)).toContain(`https://example.com/ ${is}`)
      expect(read('caddy/left-out.txt')).toContain('/shut it asks for a password')
    }
    expect(readdirSync(join(left, '..'))).toEqual([])
    expect((await linnet.api('GET', '/export/static?status=303')).status).toBe(422)
  })

  it('is refused for another server, another status, a folder that is there, and with hashes', async () => {
    const to = join(folder, 'out')
    await expect(linnet.command('export', '--static', 'apache', to)).rejects.toThrow(/nginx/)
    await expect(
      linnet.command('export', '--static', 'nginx', to, '--status', '303'),
    ).rejects.toThrow(/301, 302, 307/)
    await expect(linnet.command('export', '--static', 'nginx', folder)).rejects.toThrow(
      /is there already/,
    )
    const hashes = linnet.command('export', '--static', 'nginx', to, '--hashes')
    await expect(hashes).rejects.toThrow(/no passwords/)
    expect(readdirSync(folder)).toEqual([])
  })
})
