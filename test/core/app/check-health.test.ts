import { CompiledQuery } from 'kysely'
import { inject } from 'light-my-request'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness } from '../../harness.ts'
import { isOnServer } from '../../open-storage.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const plugin = (feature: Plugin['feature'], hooks: Partial<Plugin>) =>
  definePlugin({ feature, about: 'A plugin for a test.', ...hooks } as Plugin)

const draft = { originalUrl: 'https://example.com/' }

const fails = (): never => {
  throw new Error('boom')
}

async function ready() {
  const answer = await inject(linnet.app.server.handle, { method: 'GET', url: '/health/ready' })
  return { statusCode: answer.statusCode, ...answer.json() }
}

const well = { status: 'ok', note: null }

describe('health', () => {
  it('hints at a restart while something of a plugin that was switched off goes on', async () => {
    const later: (() => void)[] = []
    const leaves = plugin('a.leaves', {
      setup({ log }) {
        later.push(() => log.info('tick'))
      },
      dispose: ({ log }) => log.info('The end'),
    })
    linnet = await boot(leaves)
    later[0]?.()
    await linnet.api('PATCH', '/admin/plugins/a.leaves', { enabled: false })
    await vi.waitUntil(() => linnet.log.includes('The end'))
    expect((await ready()).checks.plugins).toEqual(well)
    later[0]?.()
    expect((await ready()).checks.plugins).toEqual({
      status: 'ok',
      note: 'a.leaves was switched off or replaced, but what it left running goes on: restart Linnet to end it.',
    })
  })

  it('says nothing of the kind of a plugin that fails while it is being switched on', async () => {
    linnet = await boot(plugin('a.flood', {}))
    linnet.app.noteStray('a.beginning')
    linnet.app.noteStray('a.flood')
    expect((await ready()).checks.plugins).toEqual(well)
    await linnet.api('PATCH', '/admin/plugins/a.flood', { enabled: false })
    await vi.waitUntil(async () => {
      linnet.app.noteStray('a.flood')
      return (await ready()).checks.plugins.note?.startsWith('a.flood was switched off')
    })
  })

  it('is well when all parts are', async () => {
    linnet = await boot(visitsTracking)
    await linnet.visit(await linnet.create())
    expect(await ready()).toEqual({
      statusCode: 200,
      status: 'ok',
      checks: { storage: well, visits: well, plugins: well, jobs: well, connections: well },
    })
  })

  it('fails when the database does not answer, and does not say why to everybody', async () => {
    linnet = await boot([])
    await linnet.db.schema.dropTable('meta').execute()
    const note = 'The database does not respond. The log says why.'
    expect(await ready()).toMatchObject({
      statusCode: 503,
      status: 'failing',
      checks: { storage: { status: 'failing', note } },
    })
  })

  it.skipIf(isOnServer)(
    'is degraded while nothing can be written, and links are followed',
    async () => {
      linnet = await boot([])
      const link = await linnet.create()
      await linnet.db.executeQuery(CompiledQuery.raw('pragma max_page_count = 1'))
      const title = 'x'.repeat(200)
      // The last pages may still have room for some links.
      let status: number
      do {
        ;({ status } = await linnet.api('POST', '/links', { ...draft, title }))
      } while (status === 201)
      expect(status).toBe(503)
      expect(await ready()).toMatchObject({
        statusCode: 200,
        status: 'degraded',
        checks: {
          storage: {
            status: 'degraded',
            note: 'Links work, but nothing can be written: database or disk is full.',
          },
        },
      })
      expect((await linnet.visit(link)).status).toBe(302)
      await linnet.db.executeQuery(CompiledQuery.raw('pragma max_page_count = 1000000'))
      await linnet.create()
      expect(await ready()).toMatchObject({ status: 'ok', checks: { storage: well } })
    },
  )

  it('is degraded while a newer version of a plugin has changed its tables, and the log says so', async () => {
    const older = plugin('a.tables', { migrations: { '2026-01': async () => undefined } })
    const newer = { '2026-01': async () => undefined, '2026-02': async () => undefined }
    linnet = await boot(plugin('a.tables', { migrations: newer }))
    expect(await ready()).toMatchObject({ checks: { plugins: well } })
    linnet = await linnet.restart([older])
    expect(await ready()).toMatchObject({
      statusCode: 200,
      status: 'degraded',
      checks: {
        plugins: {
          note: 'A newer version of a.tables, of another server or installed here before, has changed its tables: install that version.',
        },
      },
    })
    expect(linnet.log.join()).toContain(
      'A newer version of a.tables, of another server or installed here before, has changed its tables. Install that version',
    )
  })

  it('is degraded while accounts cannot sign in, because a plugin does not run', async () => {
    linnet = await boot([])
    await linnet.db
      .insertInto('account_steps')
      .values({ account_id: linnet.account.rowId, feature: 'a.codes', created_at: 0 })
      .execute()
    const note = '1 account cannot sign in without a.codes, which does not run.'
    expect(await ready()).toMatchObject({ status: 'degraded', checks: { plugins: { note } } })
    const ask = () => ({ text: 'Which code?', kind: 'code' }) as const
    const code = { label: 'Code', method: 'otp', ask, check: () => undefined }
    linnet = await linnet.restart([plugin('a.codes', { unstable: { steps: { code } } })])
    expect(await ready()).toMatchObject({ checks: { plugins: well } })
    linnet = await linnet.restart([])
    expect(linnet.log.join()).toContain('1 account needs a second step of a.codes')
  })

  it('tells of visits that wait for the disk, and redirects go on', async () => {
    linnet = await boot(visitsTracking)
    const link = await linnet.create()
    await linnet.db.schema.alterTable('visit_batches').renameTo('gone').execute()
    expect((await linnet.visit(link)).status).toBe(302)
    await expect(linnet.app.recorder.catchUp()).rejects.toThrow()
    const { status, checks } = await ready()
    expect([status, checks.visits.status]).toEqual(['degraded', 'degraded'])
    expect(checks.visits.note).toMatch(
      /^Visits cannot be written: .*visit_batches.*\. 1 are waiting\.$/,
    )
    await linnet.db.schema.alterTable('gone').renameTo('visit_batches').execute()
    await linnet.app.recorder.catchUp()
    expect((await ready()).checks.visits).toEqual(well)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('names the dimension that fails, and how often', async () => {
    const broken = plugin('a.broken', { dimensions: { broken: { label: 'Broken', of: fails } } })
    linnet = await boot([visitsTracking, broken])
    const link = await linnet.create()
    await linnet.visit(link)
    await linnet.app.recorder.catchUp()
    expect((await ready()).checks.visits.note).toBe('broken failed on 1 visit.')
    await linnet.visit(link)
    await linnet.app.recorder.catchUp()
    expect((await ready()).checks.visits).toEqual({
      status: 'ok',
      note: 'broken failed on 2 visits.',
    })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 2 }, broken: {} })
  })

  it('names the plugin that is left out, with the reason', async () => {
    const broken = plugin('a.broken', { setup: fails })
    linnet = await boot([broken, visitsTracking], { withoutLeftOut: true })
    expect((await ready()).checks.plugins).toEqual({
      status: 'degraded',
      note: expect.stringContaining('a.broken does not run: its set-up failed: boom.'),
    })
  })

  it('names the job whose last run failed, until it succeeds', async () => {
    let isBroken = true
    const run = () => {
      if (isBroken) throw new Error('boom')
    }
    linnet = await boot(plugin('a.works', { jobs: { tick: { every: '0 3 * * *', run } } }))
    await expect(linnet.run('a.works.tick')).rejects.toThrow('boom')
    expect(await ready()).toMatchObject({
      status: 'degraded',
      checks: { jobs: { status: 'degraded', note: 'The last run of a.works.tick failed.' } },
    })
    isBroken = false
    await linnet.run('a.works.tick')
    expect((await ready()).checks.jobs).toEqual(well)
  })

  it('names the job that runs for more than an hour', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const run = () => {
      begun.resolve()
      return done.promise
    }
    linnet = await boot(plugin('a.works', { jobs: { tick: { every: '0 3 * * *', run } } }))
    const running = linnet.run('a.works.tick')
    await begun.promise
    vi.advanceTimersByTime(3_600_000)
    expect((await ready()).checks.jobs).toEqual(well)
    vi.advanceTimersByTime(60_000)
    expect((await ready()).checks.jobs).toEqual({
      status: 'degraded',
      note: 'a.works.tick has been running for 61 minutes.',
    })
    done.resolve()
    await running
    expect((await ready()).checks.jobs).toEqual(well)
  })

  it('names the hook that fails, how often in a row, and that it is given a rest', async () => {
    linnet = await boot(plugin('a.broken', { validate: fails }))
    const write = () => linnet.api('POST', '/links', { original_url: 'https://example.com/' })
    await write()
    expect((await ready()).checks.plugins.note).toBe('a.broken validate failed once.')
    for (let time = 2; time <= 25; time++) await write()
    expect((await ready()).checks.plugins.note).toBe(
      'a.broken validate failed 20 times in a row and is only tried every 30 s.',
    )
  })
})
