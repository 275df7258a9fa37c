import { expect, it, onTestFinished } from 'vitest'
import { beginDeletion } from '../../../../core/accounts/access/deletions.ts'
import { readPublicId } from '../../../../core/lib/public-id.ts'
import { definePlugin, type Event } from '../../../../core/plugin.ts'
import { isInProcess } from '../../../../core/storage/database-kind.ts'
import { aPerson } from '../../../api/people.ts'
import { boot } from '../../../harness.ts'

it('an account of many links is deleted with all of them, in parts, and keeps its codes from others', async () => {
  const linnet = await boot([])
  onTestFinished(() => linnet.stop())
  const ada = await aPerson(linnet)
  await ada.moveTo('unlimited')
  const session = await ada.session()
  const as = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { 'sec-fetch-site': 'same-origin', ...session })
  // Three parts of 256, the last one not full.
  for (let part = 0; part < 6; part += 1) {
    const links = Array.from({ length: 100 }, () => ({ original_url: 'https://example.com/' }))
    expect((await as('POST', '/links/bulk', { links })).status).toBe(200)
  }
  const { shortCode } = await linnet.create()
  const count = async (table: 'links' | 'link_texts' | 'short_codes') => {
    const row = await linnet.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  expect([await count('links'), await count('link_texts')]).toEqual([601, 601])
  const { id } = (await as('GET', '/profile')).body.data
  expect((await linnet.api('DELETE', `/admin/accounts/${id}`)).status).toBe(204)
  expect([await count('links'), await count('link_texts'), await count('short_codes')]).toEqual([
    1, 1, 601,
  ])
  const nobodys = await linnet.db
    .selectFrom('short_codes')
    .select('code')
    .where('account_id', 'is', null)
    .where('link_id', 'is', null)
    .execute()
  expect(nobodys).toHaveLength(600)
  expect((await linnet.visit(shortCode)).status).toBe(302)
})

const numbers = Array.from({ length: 2_000 }, (_, at) => at)

/** Linnet and somebody with two thousand keys and a link. */
async function withKeys() {
  const linnet = await boot(heard.plugin)
  onTestFinished(() => linnet.stop())
  heard.told.length = 0
  const ada = await aPerson(linnet)
  const session = await ada.session()
  const as = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { 'sec-fetch-site': 'same-origin', ...session })
  const made = await as('POST', '/links', { original_url: 'https://example.com/' })
  const { id } = (await as('GET', '/profile')).body.data
  const account_id = readPublicId('acc', id) ?? 0
  const keys = numbers.map(it => {
    const at = { created_at: 0, started_at: 0 }
    return { account_id, key: `key ${it}`, request: '', ...at }
  })
  await linnet.db.insertInto('idempotency_keys').values(keys).execute()
  const left = async () => {
    const all = linnet.db.selectFrom('idempotency_keys').select(({ fn }) => fn.countAll().as('all'))
    return Number((await all.executeTakeFirstOrThrow()).all)
  }
  return { linnet, as, id, account_id, made: made.body.data, left }
}

const heard = (() => {
  const told: Event[] = []
  const plugin = definePlugin({
    feature: 'third.listener',
    about: 'Hears of accounts.',
    events: {
      kinds: ['account'],
      handle(event) {
        told.push(event)
      },
    },
  })
  return { told, plugin }
})()

it('while an account of many rows is deleted others write in between, and nobody acts for it any more', async () => {
  const { linnet, as, id, made, left } = await withKeys()
  const seen = new Set<number>()
  let isDone = false
  const deleting = linnet.api('DELETE', `/admin/accounts/${id}`).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await linnet.db
      .insertInto('used_tickets')
      .values({ id: `${seen.size} ${Math.random()}`, ends_at: 0 })
      .execute()
    const rows = await left()
    if (rows < 2_000 && rows > 0) {
      seen.add(rows)
      expect((await as('GET', '/profile')).status).toBe(401)
      expect((await linnet.visit(made.shortCode)).status).not.toBe(302)
    }
  }
  expect((await deleting).status).toBe(204)
  // A database that is another process lets others write anyway.
  expect(seen.size).toBeGreaterThanOrEqual(isInProcess(linnet.db) ? 3 : 0)
  expect(await left()).toBe(0)
  const marks = linnet.db.selectFrom('meta').select('key').where('key', 'like', 'deleting%')
  expect(await marks.execute()).toEqual([])
})

it('an account whose deletion broke off is deleted by a job, and told of as it was', async () => {
  const { linnet, as, id, account_id, left } = await withKeys()
  await linnet.db.transaction().execute(tx =>
    beginDeletion(
      tx,
      account_id,
      () => new Date('2026-11-20T12:00:00Z'),
      () => undefined,
    ),
  )
  expect((await as('GET', '/profile')).status).toBe(401)
  const shown = (await linnet.api('GET', `/admin/accounts/${id}`)).body.data
  expect(shown.suspendedAt).toBe('2026-11-20T12:00:00.000Z')
  // Whatever it were given now would go with it.
  const { body } = await linnet.api('GET', '/profile')
  const given = await Promise.all([
    linnet.api('POST', `/admin/accounts/${id}/release`),
    linnet.api('PATCH', `/admin/accounts/${id}`, { full_name: 'Ada' }),
    linnet.api('POST', `/admin/accounts/${body.data.id}/hand-over`, { to: id }),
  ])
  expect(given.map(({ status }) => status)).toEqual([404, 404, 422])
  await linnet.run('accounts.finishDeletions')
  expect((await linnet.api('GET', `/admin/accounts/${id}`)).status).toBe(404)
  expect(await left()).toBe(0)
  await linnet.settled()
  expect(heard.told.map(it => it.type).slice(-1)).toEqual(['account.deleted'])
  expect(heard.told.at(-1)).toMatchObject({ before: { suspendedAt: null, linksClosed: false } })
})
