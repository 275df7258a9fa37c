import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, endpoint, z } from '../../../core/plugin.ts'
import type { Row } from '../../../plugins/organization/audit-log/entries.ts'
import plugin from '../../../plugins/organization/audit-log.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from './other-account.ts'

const table = 'organization_audit_log' as 'meta'
let linnet: Harness

beforeEach(async () => {
  linnet = await boot(
    [
      plugin,
      'link.customShortCode',
      'link.editOriginalUrl',
      'link.editShortCode',
      'organization.tags',
      'organization.campaigns',
      'link.passwordProtection',
      'organization.customDomains',
      'developer.apiKeys',
    ],
    { at: '2026-11-20T12:00:00Z' },
  )
})
afterEach(() => linnet.stop())

interface Entry {
  readonly id: string
  readonly type: string
  readonly what: string
  readonly address?: string | null
  readonly canBeUndone?: boolean
}

async function list(query = ''): Promise<readonly Entry[]> {
  await linnet.settled()
  const { status, body } = await linnet.api('GET', `/audit-log?${query}`)
  expect(status).toBe(200)
  return body.data
}
const typesOf = (entries: readonly Entry[]) => entries.map(({ type }) => type)

async function historyOf(id: string): Promise<readonly Entry[]> {
  await linnet.settled()
  return (await linnet.api('GET', `/links/${id}/history`)).body.data
}
const undo = ({ id }: { readonly id: string }) => linnet.api('POST', `/link-history/${id}/undo`)

/** A link that was called Spring, and is called Summer. */
async function renamed(): Promise<string> {
  const { id } = await linnet.create({ shortCode: 'sale', title: 'Spring' })
  await linnet.api('PATCH', `/links/${id}`, { title: 'Summer', notes: 'Hot.' })
  return id
}

describe('the audit log', () => {
  it('says who changed what, how, and what it was before', async () => {
    const id = await renamed()
    const [updated, created] = await list('kind=link')
    expect(updated).toMatchObject({
      ...{ at: '2026-11-20T12:00:00.000Z', type: 'link.updated', thing: id },
      ...{ who: 'ada@example.org', by: 'session', credential: expect.stringMatching(/^ses_/) },
      what: 'title: Spring → Summer; notes: – → Hot.',
      before: { title: 'Spring', notes: null },
      after: { title: 'Summer', notes: 'Hot.' },
      changed: ['title', 'notes'],
    })
    expect(created).toMatchObject({
      type: 'link.created',
      before: null,
      after: { title: 'Spring' },
    })
  })

  it('says how somebody signed in', async () => {
    const bob = { email: 'bob@example.org', password: 'analytical engine' }
    await linnet.api('POST', '/admin/accounts', bob)
    await linnet.api('POST', '/session', bob, { cookie: '' })
    const [entry] = await list('kind=session')
    expect(entry).toMatchObject({ type: 'session.created', what: 'pwd' })
  })

  it('says what a change was of which it keeps no value, such as a password', async () => {
    const person = { email: 'bob@example.org', password: 'analytical engine' }
    const { id } = (await linnet.api('POST', '/admin/accounts', person)).body.data
    await linnet.api('PATCH', `/admin/accounts/${id}`, { password: 'difference engine' })
    const entries = await list('kind=account')
    expect(entries[0]).toMatchObject({ type: 'account.updated', changed: ['password'] })
    expect(JSON.stringify(entries)).not.toMatch(/analytical|difference|scrypt/)
  })

  it('is filtered by kind, thing, who did it, and time', async () => {
    const id = await renamed()
    linnet.at('2026-11-21T12:00:00Z')
    await linnet.api('POST', '/tags', { name: 'Sale' })
    expect(typesOf(await list('kind=tag'))).toEqual(['tag.created'])
    expect(typesOf(await list(`thing=${id}`))).toEqual(['link.updated', 'link.created'])
    expect(typesOf(await list(`account=${linnet.account.id}&kind=tag`))).toEqual(['tag.created'])
    expect(await list('account=acc_nobody')).toEqual([])
    expect(typesOf(await list('from=2026-11-21T00:00:00Z&kind=tag'))).toEqual(['tag.created'])
    expect(typesOf(await list('to=2026-11-21T00:00:00Z&kind=tag'))).toEqual([])
    for (const wrong of ['kind=links', 'from=yesterday', 'sort=at']) {
      expect([wrong, (await linnet.api('GET', `/audit-log?${wrong}`)).status]).toEqual([wrong, 422])
    }
  })

  it('is a file, one entry in each line, oldest first', async () => {
    await renamed()
    await linnet.settled()
    const { status, headers, body } = await linnet.api('GET', '/audit-log/file?kind=link')
    expect([status, headers['content-type']]).toEqual([200, 'application/jsonl'])
    const lines = String(body).trim().split('\n')
    expect(lines.map(line => JSON.parse(line).type)).toEqual(['link.created', 'link.updated'])
  })

  it('keeps from which address or network it was done, for admins, if they chose so', async () => {
    const ip = '2001:db8:1:2::3'
    const made = await linnet.api('POST', '/api-tokens', { name: 'x', scopes: ['*'] })
    const rename = async (id: string, title: string) => {
      const headers = {
        authorization: `Bearer ${made.body.data.token}`,
        'content-type': 'application/json',
      }
      const how = { method: 'PATCH', headers, body: JSON.stringify({ title }), ip } as const
      expect((await linnet.visit(`api/v1/links/${id}`, how)).status).toBe(200)
    }
    const { id } = await linnet.create()
    for (const addresses of ['', 'network', 'whole', 'none']) {
      const settings = { addresses }
      if (addresses) await linnet.api('PATCH', '/admin/plugins/organization.auditLog', { settings })
      await rename(id, `Spring ${addresses}`)
      // Otherwise a change of the setting could come before the entry.
      await linnet.settled()
    }
    const query = `thing=${id}&kind=link`
    const kept = [null, ip, '2001:db8:1::/48', null, null]
    expect((await list(query)).map(({ address }) => address)).toEqual(kept)
    const { body } = await linnet.api('GET', `/audit-log/file?${query}`)
    const lines = String(body).trim().split('\n')
    expect(lines.map(line => JSON.parse(line).address)).toEqual(kept.toReversed())
    expect(JSON.stringify(await historyOf(id))).not.toMatch(/address"|2001:db8/)
    // Entries with and without follow each other.
    expect((await linnet.command('check-audit-log'))[0]).toMatch(/each as it was written/)
    await linnet.db
      .updateTable(table)
      .set({ actor_address: '192.0.2.1' } as never)
      .where('actor_address' as never, '=', ip as never)
      .execute()
    await expect(linnet.command('check-audit-log')).rejects.toThrow('of the audit log is not what')
  })

  it('is no tool of language models', async () => {
    let paths: readonly string[] = []
    const asks = definePlugin({
      feature: 'acme.tools',
      about: 'Lists tools.',
      endpoints: {
        'GET /tools': endpoint({
          summary: 'List tools',
          scope: 'links:read',
          answer: z.strictObject({ data: z.null() }),
          handle(_, { unstable }) {
            paths = unstable.tools().map(({ path }) => path)
            return { data: null }
          },
        }),
      },
    })
    linnet = await linnet.restart([plugin, asks])
    expect((await linnet.api('GET', '/tools')).status).toBe(200)
    expect(paths).toContain('/links')
    expect(paths.filter(path => /audit|history/.test(path))).toEqual([])
  })

  it('checks entries that were written before addresses could be kept', async () => {
    await renamed()
    await list()
    const [row] = (await linnet.db
      .selectFrom(table)
      .selectAll()
      .orderBy('id' as never)
      .execute()) as unknown as readonly Row[]
    if (!row) throw new Error('There is no entry.')
    const number = (value: number | null) => (value === null ? null : Number(value))
    const actor = [row.actor_kind, number(row.actor_account), row.actor_by, row.actor_name]
    const told = [row.event_id, Number(row.at), row.type, number(row.account_id), row.thing]
    const before = JSON.stringify([row.prev, ...told, actor, row.details])
    expect(row.hash).toBe(createHash('sha256').update(before).digest('hex'))
  })

  it('is for admins alone', async () => {
    const call = await otherAccount(linnet)
    for (const path of ['/audit-log', '/audit-log/file']) {
      expect((await call('GET', path)).status).toBe(403)
    }
  })

  it('finds what was changed or taken out of it', async () => {
    const check = () => linnet.command('check-audit-log')
    await renamed()
    await list()
    expect((await check())[0]).toMatch(
      /^[34] entries, each as it was written\. The last one is [0-9a-f]{64}\.$/,
    )
    const healthy = await linnet.api('GET', '/admin/doctor')
    expect(JSON.stringify(healthy.body)).not.toContain('audit log')
    const rows = (await linnet.db.selectFrom(table).selectAll().execute()) as unknown as readonly {
      readonly id: number
    }[]
    const change = { details: '{"before":null,"after":null,"changed":[]}' } as never
    await linnet.db
      .updateTable(table)
      .set(change)
      .where('id' as never, '=', 2 as never)
      .execute()
    await expect(check()).rejects.toThrow('Entry 2 of the audit log')
    const { body } = await linnet.api('GET', '/admin/doctor')
    expect(JSON.stringify(body)).toContain('Entry 2 of the audit log is not what was written')
    await linnet.db
      .deleteFrom(table)
      .where('id' as never, '=', 2 as never)
      .execute()
    await expect(check()).rejects.toThrow('Entry 3 of the audit log')
    await expect(linnet.run('organization.auditLog.check')).rejects.toThrow('Entry 3')
    expect(rows.length).toBeGreaterThan(2)
  })

  it('forgets what is too old, and goes on behind it', async () => {
    await renamed()
    await list()
    linnet.at('2027-11-21T12:00:00Z')
    await linnet.run('organization.auditLog.forgetOld')
    expect(await list()).toEqual([])
    await linnet.api('POST', '/tags', { name: 'Sale' })
    expect(typesOf(await list('kind=tag'))).toEqual(['tag.created'])
    expect((await linnet.command('check-audit-log'))[0]).toMatch(/^[12] entries/)
  })
})

describe('the history of a link', () => {
  it('gives back what a change replaced', async () => {
    const id = await renamed()
    const [updated, created] = await historyOf(id)
    expect([updated?.canBeUndone, created?.canBeUndone]).toEqual([true, false])
    const undone = await undo(updated as Entry)
    expect([undone.status, undone.body.data]).toEqual([
      200,
      { undone: ['title', 'notes'], left: [] },
    ])
    const { data } = (await linnet.api('GET', `/links/${id}`)).body
    expect([data.title, data.notes]).toEqual(['Spring', null])
    expect(typesOf(await historyOf(id))).toEqual(['link.updated', 'link.updated', 'link.created'])
  })

  it('gives back the short code and the address, by the rules of the API', async () => {
    const { id } = await linnet.create({ shortCode: 'sale' })
    const change = { short_code: 'other', original_url: 'https://example.net/' }
    expect((await linnet.api('PATCH', `/links/${id}`, change)).status).toBe(200)
    const [updated] = await historyOf(id)
    expect((await undo(updated as Entry)).status).toBe(200)
    const { data } = (await linnet.api('GET', `/links/${id}`)).body
    expect([data.shortCode, data.originalUrl]).toEqual(['sale', 'https://example.com/'])
  })

  it('brings a deleted link back', async () => {
    const id = await renamed()
    await linnet.api('DELETE', `/links/${id}`)
    const [deleted] = await historyOf(id)
    expect(deleted).toMatchObject({ type: 'link.deleted', canBeUndone: true })
    // Of a link that is not there, nothing else can come back.
    expect((await historyOf(id)).map(it => it.canBeUndone)).toEqual([true, false, false])
    expect((await undo(deleted as Entry)).status).toBe(200)
    expect((await linnet.api('GET', `/links/${id}`)).body.data.title).toBe('Summer')
    expect((await historyOf(id)).map(it => [it.type, it.canBeUndone])).toEqual([
      ['link.restored', false],
      ['link.deleted', false],
      ['link.updated', true],
      ['link.created', false],
    ])
  })

  it('gives back tags and the campaign, as far as they are still there', async () => {
    const make = async (path: string, name: string) =>
      (await linnet.api('POST', path, { name })).body.data.id as string
    const [sale, old, hot] = [
      await make('/tags', 'Sale'),
      await make('/tags', 'Old'),
      await make('/tags', 'Hot'),
    ]
    const spring = await make('/campaigns', 'Spring')
    const { id } = await linnet.create({ tag_ids: [sale, old], campaign_id: spring })
    const change = { add_tag_ids: [hot], remove_tag_ids: [sale], campaign_id: null }
    await linnet.api('PATCH', `/links/${id}`, change)
    const [updated] = await historyOf(id)
    expect(updated).toMatchObject({
      what: 'tags: Old, Sale → Hot, Old; campaign: Spring → –',
      canBeUndone: true,
    })
    const names = async () => {
      const { tags, campaign } = (await linnet.api('GET', `/links/${id}`)).body.data
      return [...tags, campaign].map(it => it?.name)
    }
    expect(await names()).toEqual(['Hot', 'Old', undefined])

    expect((await undo(updated as Entry)).body.data).toEqual({
      undone: ['tagIds', 'campaignId'],
      left: [],
    })
    expect(await names()).toEqual(['Old', 'Sale', 'Spring'])
    const [undone] = await historyOf(id)
    await undo(undone as Entry)
    expect(await names()).toEqual(['Hot', 'Old', undefined])

    await linnet.api('DELETE', `/tags/${old}`)
    await linnet.api('DELETE', `/campaigns/${spring}`)
    expect((await undo(updated as Entry)).body.data).toEqual({
      undone: ['tagIds'],
      left: ['tags', 'campaign'],
    })
    expect(await names()).toEqual(['Sale', undefined])
  })

  it('takes the first tags of a link away again', async () => {
    const tag = (await linnet.api('POST', '/tags', { name: 'Sale' })).body.data.id
    const { id } = await linnet.create({})
    await linnet.api('PATCH', `/links/${id}`, { tag_ids: [tag] })
    const [updated] = await historyOf(id)
    expect((await undo(updated as Entry)).status).toBe(200)
    expect((await linnet.api('GET', `/links/${id}`)).body.data.tags).toEqual([])
  })

  it('says what it cannot give back', async () => {
    const { id } = await linnet.create({ password: 'analytical engine' })
    await linnet.api('PATCH', `/links/${id}`, { password: 'difference engine' })
    const [updated] = await historyOf(id)
    expect(updated?.canBeUndone).toBe(false)
    const refused = await undo(updated as Entry)
    expect([refused.status, refused.body.code]).toEqual([409, 'cannot_be_undone'])
    expect((await undo({ id: 'aud_nothing' })).status).toBe(404)
  })

  it('does not offer to move a link back to its domain', async () => {
    const { id } = await linnet.create()
    const host = 'links.example.org'
    await linnet.api('POST', '/domains', { host })
    await linnet.db
      .updateTable('organization_custom_domains' as 'meta')
      .set({ verified_host: host } as never)
      .execute()
    const moved = await linnet.api('PATCH', `/links/${id}`, { domain: host })
    expect(moved.body.data.shortUrl).toContain(host)
    const [updated] = await historyOf(id)
    expect(updated).toMatchObject({ type: 'link.updated', canBeUndone: false })
    expect((await undo(updated as Entry)).body.code).toBe('cannot_be_undone')
  })

  it('is that of the own account', async () => {
    const id = await renamed()
    const [updated] = await historyOf(id)
    const call = await otherAccount(linnet)
    expect((await call('GET', `/links/${id}/history`)).status).toBe(404)
    expect((await call('POST', `/link-history/${updated?.id}/undo`)).status).toBe(404)
    expect((await linnet.api('GET', '/links/lnk_nothing/history')).status).toBe(404)
  })
})
