import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { inTransaction, type Storage } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { itAtNight } from '../at-night.ts'
import { createLink, type Server as Node, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'

/** Two servers on one database, and the news that the second receives. */
async function withTwo(use: (one: Storage, other: Storage, heard: string[]) => Promise<void>) {
  const one = await openDatabase({ url }, { serves: true })
  const other = await openDatabase({ url }, { serves: true })
  const heard: string[] = []
  for (const topic of ['link', 'account', 'hosts', 'plugin acme.rates']) {
    other.news.on(topic, (detail = 'anything') => heard.push(`${topic} ${detail}`))
  }
  try {
    await use(one, other, heard)
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

it('servers write in turn: a transaction begins when that of the other server is over', async () => {
  await withTwo(async (one, other) => {
    const order: string[] = []
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const first = inTransaction(one.db, async () => {
      begun.resolve()
      await goOn.promise
      order.push('one ends')
    })
    await begun.promise
    const second = inTransaction(other.db, async () => {
      order.push('the other begins')
      await Promise.resolve()
    })
    const waiting = sql<number>`(
      select count(*)::int from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()
    )`
    const howMany = async () =>
      (await one.db.selectNoFrom(waiting.as('waiting')).executeTakeFirstOrThrow()).waiting
    await expect.poll(howMany).toBe(1)
    goOn.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['one ends', 'the other begins'])
  })
})

describe('what one server changes', () => {
  it('is heard by the other once it is committed, and never when it is not', async () => {
    await withTwo(async (one, _, heard) => {
      const undone = inTransaction(one.db, async tx => {
        await one.news.tell(tx, 'hosts')
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      await inTransaction(one.db, async tx => {
        await one.news.tell(tx, 'plugin acme.rates', 'EUR')
        await delay(200)
        expect(heard).toEqual([])
      })
      await expect.poll(() => heard).toEqual(['plugin acme.rates EUR'])
      await one.news.tell(one.db, 'plugin acme.rates', 'x'.repeat(10_000))
      await expect.poll(() => heard.at(-1)).toBe('plugin acme.rates anything')
    })
  })

  it('is said to who begins to listen after it was told, who may have read before that', async () => {
    await withTwo(async (one, other, heard) => {
      await one.news.tell(one.db, 'settings')
      await one.news.tell(one.db, 'hosts')
      await expect.poll(() => heard).toEqual(['hosts anything'])
      const late: string[] = []
      for (const topic of ['settings', 'plugin acme.silent']) {
        other.news.on(topic, (detail = 'anything') => late.push(`${topic} ${detail}`))
      }
      await expect.poll(() => late).toEqual(['settings anything'])
    })
  })

  it('is anything, after a time in which nothing was heard', async () => {
    await withTwo(async (_, other, heard) => {
      const was: boolean[] = []
      other.news.onHeard(isHeard => was.push(isHeard))
      await server.pause()
      await expect.poll(() => other.news.isHeard()).toBe(false)
      expect(heard).toEqual([])
      await server.resume()
      await expect.poll(() => other.news.isHeard()).toBe(true)
      expect(was).toEqual([false, true])
      expect(heard).toContain('link anything')
    })
  })
})

it('a database that is opened once more is left to who writes to it', async () => {
  await withTwo(async ({ db }) => {
    let opening: Promise<Storage> | undefined
    await inTransaction(db, async tx => {
      await tx.updateTable('accounts').set({ plan: 'free' }).where('id', '=', 0).execute()
      opening = openDatabase({ url }, {})
      await delay(500)
      await tx.updateTable('links').set({ version: 2 }).where('id', '=', 0).execute()
    })
    await (await opening)?.close()
  })
})

itAtNight(
  'a server on any free port warns of others with another base URL, and not of itself',
  async () => {
    const env = { DATABASE_URL: url }
    const warned = /have another LINNET_BASE_URL/
    const one = await serve({ env })
    // It is told after the warnings.
    await one.logged(/LINNET_BOOTSTRAP_TOKEN is active/)
    expect(one.log.filter(({ message }) => warned.test(message))).toEqual([])
    const other = await serve({ env, admin: false })
    const { message } = await other.logged(warned)
    // It names one server.
    expect(message).toMatch(/: [\d.]+ on [^,]+\. Set the same on all/)
    await Promise.all([one, other].map(it => it.kill('SIGTERM')))
  },
)

describe('two servers', () => {
  it('follow what the other changes, at once', async () => {
    const [one, other] = await serveTwo()
    const { id, shortCode } = await createLink(one)
    const leadsTo = async () => (await other.get(`/${shortCode}`)).headers.get('location')
    expect(await leadsTo()).toBe('https://example.com/')

    const tookMs: number[] = []
    for (let turn = 0; turn < 10; turn += 1) {
      const original_url = `https://example.com/${turn}`
      expect((await one.api('PATCH', `/links/${id}`, { original_url })).status).toBe(200)
      const changedAt = performance.now()
      await expect.poll(leadsTo, { interval: 5 }).toBe(original_url)
      tookMs.push(Math.round(performance.now() - changedAt))
    }
    console.log('another server follows a changed link after ms:', tookMs.join(' '))

    // The first link of this host that takes paths: until now the other asks nothing about them.
    const behind = () => other.get(`/${shortCode}/a`)
    expect((await behind()).status).toBe(404)
    expect((await one.api('PATCH', `/links/${id}`, { paths: 'append' })).status).toBe(200)
    await expect
      .poll(async () => (await behind()).headers.get('location'))
      .toBe('https://example.com/9/a')

    expect((await one.api('DELETE', `/links/${id}`)).status).toBe(204)
    await expect.poll(async () => (await other.get(`/${shortCode}`)).status).toBe(404)
  })

  itAtNight('restore what the other deleted, once, with the visits of both', async () => {
    const [one, other] = await serveTwo()
    const { id, shortCode } = await createLink(one)
    const total = async (on: typeof one) =>
      (await on.api('GET', `/links/${id}`)).body.data?.visits.total
    for (const node of [one, other, one]) await node.get(`/${shortCode}`)
    for (const node of [one, other]) await expect.poll(() => total(node)).toBe(3)
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await one.api('DELETE', `/links/${id}`)).status).toBe(204)
      await expect.poll(async () => (await other.get(`/${shortCode}`)).status).toBe(404)
      const both = [one, other].map(node => node.api('POST', `/links/${id}/restore`))
      expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
      for (const node of [one, other]) {
        await expect.poll(() => total(node)).toBe(3)
        const { body } = await node.api('GET', '/analytics?interval=24h')
        expect(body.data.totals.visits).toBe(3)
      }
    }
    expect((await other.get(`/${shortCode}`)).status).toBe(302)
  })

  it('shut protected links while they are cut off, and follow others from memory, also those of accounts that did not change when another did', async () => {
    const [one, other] = await serveTwo()
    const open = await createLink(one)
    const guarded = await createLink(one, { password: 'open sesame' })
    const statusOf = async (code: string) => (await other.get(`/${code}`)).status
    expect([await statusOf(open.shortCode), await statusOf(guarded.shortCode)]).toEqual([302, 403])
    const email = 'somebody@example.org'
    const { body } = await one.api('POST', '/admin/accounts', { email, plan: 'free' })
    expect(
      (await one.api('PATCH', `/admin/accounts/${body.data.id}`, { plan: 'pro' })).status,
    ).toBe(200)
    // What is told later is heard later.
    const last = await createLink(one)
    expect(await statusOf(last.shortCode)).toBe(302)
    expect((await one.api('DELETE', `/links/${last.id}`)).status).toBe(204)
    await expect.poll(() => statusOf(last.shortCode)).toBe(404)
    await server.pause()
    await expect.poll(() => statusOf(guarded.shortCode)).toBe(503)
    expect(await statusOf(open.shortCode)).toBe(302)
    await server.resume()
    await expect.poll(() => statusOf(guarded.shortCode)).toBe(403)
  })

  it('follow from memory what they could not look up since they were cut off before, if the database still has it', async () => {
    const [one, other] = await serveTwo()
    const [still, gone] = [await createLink(one), await createLink(one)]
    const both = () =>
      Promise.all([still, gone].map(async it => (await other.get(`/${it.shortCode}`)).status))
    expect(await both()).toEqual([302, 302])
    const client = new pg.Client(url)
    await client.connect()
    // Without triggers, so that nobody hears of it.
    await client.query('set session_replication_role = replica')
    await client.query('delete from short_codes where code = $1', [gone.shortCode])
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await client.end()
    await other.logged(/^Changes by other servers arrive again/)
    expect((await other.get(`/${gone.shortCode}`)).status).toBe(404)
    await server.pause()
    expect(await both()).toEqual([302, 503])
    await server.resume()
    await expect.poll(both).toEqual([302, 404])
  })
})

async function serveTwo(): Promise<readonly [Node, Node]> {
  const env = { DATABASE_URL: url }
  const one = await serve({ env })
  return [one, await serve({ env, admin: false })]
}
