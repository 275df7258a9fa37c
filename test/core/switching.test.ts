import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, number, type Plugin, text, z } from '../../core/plugin.ts'
import uniqueVisitors from '../../plugins/analytics/unique-visitors.ts'
import visitsTracking from '../../plugins/analytics/visits-tracking.ts'
import { registry } from '../../plugins/index.ts'
import { itAtNight } from '../at-night.ts'
import { boot, type Harness } from '../harness.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const about = 'A plugin for a test.'

/** What a plugin went through, in order. */
let calls: string[]
let linnet: Harness
beforeEach(() => {
  calls = []
})
afterEach(() => linnet.stop())

const change = (feature: string, body: object) =>
  linnet.api('PATCH', `/admin/plugins/${feature}`, body)

/** Brings a bit of everything, by a setting that its set-up may fail of. */
const mood = definePlugin({
  feature: 'a.mood',
  about,
  settings: { level: number({ label: 'Level', default: 1, max: 9 }) },
  setup({ settings: { level }, signal }) {
    calls.push(`set up ${level}`)
    signal.addEventListener('abort', () => calls.push(`abort ${level}`))
    if (level === 9) throw new Error('too high')
    return { level }
  },
  dispose({ settings: { level } }) {
    calls.push(`dispose of ${level}`)
  },
  fields: { mood: text({ label: 'Mood' }) },
  dimensions: {
    visitsByMood: { label: 'Moods', of: () => 'glad' },
  },
  jobs: {
    cheer: {
      every: '0 3 * * *',
      run({ settings: { level } }) {
        calls.push(`cheer ${level}`)
      },
    },
  },
  endpoints: {
    'GET /mood': {
      summary: 'The mood.',
      scope: 'links:read',
      answer: z.object({ level: z.int() }),
      handle: (_, { settings }) => ({ level: settings.level as number }),
    },
  },
})

const other = definePlugin({
  feature: 'a.other',
  about,
  setup() {
    calls.push('set up other')
  },
})

const all = [visitsTracking, mood, other] as readonly Plugin[]

/** Its set-up hangs from level 5 on, until it is let go on. */
function slowlySetUp() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const plugin = definePlugin({
    feature: 'a.slow',
    about,
    settings: { level: number({ label: 'Level', default: 1, max: 9 }) },
    migrations: {
      '1': async db => {
        await db.schema.createTable('a_slow_levels').addColumn('level', 'integer').execute()
      },
    },
    async setup({ settings: { level } }) {
      calls.push(`set up ${level}`)
      if (level >= 5) await promise
    },
    dispose({ settings: { level } }) {
      calls.push(`dispose of ${level}`)
    },
  })
  return { plugin, goOn: resolve }
}

describe('a set-up that hangs', () => {
  it('keeps no other plugin from being switched', async () => {
    const { plugin, goOn } = slowlySetUp()
    linnet = await boot([plugin, mood])
    const hanging = change('a.slow', { settings: { level: 5 } })
    await expect.poll(() => calls).toContain('set up 5')
    expect((await change('a.mood', { enabled: false })).status).toBe(200)
    goOn()
    expect((await hanging).status).toBe(200)
    await expect.poll(() => calls.filter(it => it.startsWith('dispose'))).toHaveLength(2)
    expect(linnet.app.plugins.running.map(it => it.stored)).toEqual([{ level: 5 }])
  })

  it('is made once of two that want the same at the same moment, or given up', async () => {
    const { plugin, goOn } = slowlySetUp()
    linnet = await boot([plugin], { settings: { plugins: { off: ['a.slow'] } } })
    const both = [5, 6].map(level => change('a.slow', { enabled: true, settings: { level } }))
    await expect.poll(() => calls.toSorted()).toEqual(['set up 5', 'set up 6'])
    goOn()
    expect((await Promise.all(both)).map(it => it.status)).toEqual([200, 200])
    await expect.poll(() => calls.filter(it => it.startsWith('dispose'))).toHaveLength(1)
    expect(linnet.app.plugins.running).toHaveLength(1)
  })
})

describe('a switch that would stop another plugin that runs', () => {
  const named = (feature: Plugin['feature'], names: readonly string[]) =>
    definePlugin({
      feature,
      about,
      fields: Object.fromEntries(names.map(name => [name, text({ label: 'Word' })])),
    })
  const [aa, bb, cc, dd] = ['acme.aa', 'acme.bb', 'acme.cc', 'acme.dd'] as const
  const plugins = [
    named(aa, ['word', 'mood']),
    named(bb, ['word', 'page']),
    named(cc, ['mood']),
    named(dd, ['page']),
  ]
  const outside = {
    broken: [],
    plugins: plugins.map(plugin => ({
      ...{ name: plugin.feature, version: null, root: '', url: '', feature: plugin.feature },
      ...{ description: null, isAsleep: false, read: async () => plugin },
    })),
  }
  const running = () => linnet.app.plugins.running.map(({ plugin }) => plugin.feature)

  it('on is refused, with the names of all that would stop', async () => {
    const settings = { plugins: { off: [aa, dd] } }
    linnet = await boot(plugins, { outside, settings })
    const { status, body } = await change(aa, { enabled: true })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'set_up_failed' })
    expect(body.detail).toMatch(
      /^acme\.aa is unchanged: acme\.bb would stop: acme\.aa and acme\.bb both have the create field word.*; acme\.cc would stop: acme\.aa and acme\.cc .+ Rename one\.$/,
    )
    expect(running()).toEqual([bb, cc])
    expect((await change(bb, { enabled: false })).status).toBe(200)
    expect((await change(cc, { enabled: false })).status).toBe(200)
    expect((await change(aa, { enabled: true })).status).toBe(200)
    expect(running()).toEqual([aa])
  })

  it('off is refused too, where one that was left out would come before', async () => {
    const settings = { plugins: { off: [cc] } }
    linnet = await boot(plugins, { outside, settings, withoutLeftOut: true })
    expect(running()).toEqual([aa, dd])
    const { status, body } = await change(aa, { enabled: false })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'set_up_failed' })
    expect(body.detail).toContain('acme.aa is unchanged: acme.dd would stop: acme.bb and acme.dd')
    expect(running()).toEqual([aa, dd])
    expect((await change(bb, { enabled: false })).status).toBe(200)
    expect((await change(aa, { enabled: false })).status).toBe(200)
    expect(running()).toEqual([dd])
  })
})

describe('a plugin that is switched off and on', () => {
  it('takes all that it brings with it, and brings it back', async () => {
    linnet = await boot(all)
    const has = async () => {
      const { body: openapi } = await linnet.api('GET', '/openapi.json')
      const { body: list } = await linnet.api('GET', '/plugins')
      const link = await linnet.api('POST', '/links', {
        originalUrl: 'https://example.com/',
        mood: 'well',
      })
      const plain = await linnet.create()
      await linnet.visit(plain)
      return {
        endpoint: (await linnet.api('GET', '/mood')).status,
        described: '/api/v1/mood' in openapi.paths,
        listed: list.data.some((it: { feature: string }) => it.feature === 'a.mood'),
        field: link.status,
        dimension: 'visitsByMood' in (await linnet.counts(plain)),
        job: (await linnet.app.jobs.list()).some(({ name }) => name === 'a.mood.cheer'),
      }
    }
    const everything = {
      endpoint: 200,
      described: true,
      listed: true,
      field: 201,
      dimension: true,
      job: true,
    }
    expect(await has()).toEqual(everything)
    await change('a.mood', { enabled: false })
    expect(await has()).toEqual({
      endpoint: 404,
      described: false,
      listed: false,
      field: 422,
      dimension: false,
      job: false,
    })
    expect(await linnet.app.jobs.run('a.mood.cheer')).toBe(false)
    await change('a.mood', { enabled: true })
    expect(await has()).toEqual(everything)
  })

  it('is set up and disposed of, and no other is', async () => {
    linnet = await boot(all)
    await change('a.mood', { enabled: false })
    await expect.poll(() => calls.length).toBe(4)
    expect(calls).toEqual(['set up 1', 'set up other', 'abort 1', 'dispose of 1'])
    await change('a.mood', { enabled: true })
    expect(calls.slice(4)).toEqual(['set up 1'])
  })

  it('is disposed of when the requests that it was asked have ended, and they go on with it', async () => {
    let answer: () => void = () => undefined
    let isAsked = false
    const slow = {
      ...mood,
      endpoints: {
        'GET /mood': {
          ...mood.endpoints?.['GET /mood'],
          handle: async () => {
            isAsked = true
            await new Promise<void>(resolve => {
              answer = resolve
            })
            calls.push('answered')
            return { level: 1 }
          },
        },
      },
    } as Plugin
    linnet = await boot([slow])
    const answered = linnet.api('GET', '/mood')
    await expect.poll(() => isAsked).toBe(true)
    await change('a.mood', { enabled: false })
    expect((await linnet.api('GET', '/mood')).status).toBe(404)
    expect(calls).toEqual(['set up 1'])
    answer()
    expect((await answered).status).toBe(200)
    await expect.poll(() => calls).toEqual(['set up 1', 'answered', 'abort 1', 'dispose of 1'])
  })

  it('has a job that runs by then run to its end, and no second one beside it', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const lasting = {
      ...mood,
      jobs: {
        cheer: {
          every: '0 3 * * *',
          run: () => {
            calls.push('begun')
            return ended
          },
        },
      },
    } as Plugin
    linnet = await boot([lasting])
    const run = linnet.app.jobs.run('a.mood.cheer')
    await expect.poll(() => calls).toContain('begun')
    expect(linnet.app.jobs.running()).toHaveLength(1)
    await change('a.mood', { settings: { level: 2 } })
    expect(await linnet.app.jobs.run('a.mood.cheer')).toBe(false)
    expect(calls).not.toContain('dispose of 1')
    end()
    await run
    await expect.poll(() => calls).toContain('dispose of 1')
  })
})

describe('a change of settings', () => {
  it('is in force when it is answered, with the old state given up', async () => {
    linnet = await boot(all)
    expect((await linnet.api('GET', '/mood')).body).toEqual({ level: 1 })
    expect((await change('a.mood', { settings: { level: 5 } })).status).toBe(200)
    expect((await linnet.api('GET', '/mood')).body).toEqual({ level: 5 })
    await linnet.run('a.mood.cheer')
    expect(calls).toContain('cheer 5')
    await expect.poll(() => calls).toContain('dispose of 1')
    expect(calls.filter(it => it === 'set up other')).toHaveLength(1)
  })

  it('that the set-up fails of is taken back, and what was before goes on', async () => {
    linnet = await boot(all)
    for (let attempt = 0; attempt < 25; attempt += 1) {
      expect(await change('a.mood', { settings: { level: 9 } })).toMatchObject({
        status: 409,
        body: {
          code: 'set_up_failed',
          detail: 'a.mood is unchanged: its set-up failed: too high.',
        },
      })
    }
    expect((await linnet.api('GET', '/mood')).body).toEqual({ level: 1 })
    const { body } = await linnet.api('GET', '/admin/plugins')
    expect(body.data[1]).toMatchObject({ enabled: true, problem: null, failures: [] })
    expect(body.data[1].settings[0]).toMatchObject({ value: 1, isSet: false })
    expect(calls).toContain('dispose of 9')
    expect(calls).not.toContain('dispose of 1')
    expect((await change('a.mood', { settings: { level: 2 } })).status).toBe(200)
  })

  it('of a guard that fails leaves its links as they were: guarded', async () => {
    const guard = definePlugin({
      feature: 'a.guard',
      about,
      settings: { level: number({ label: 'Level', default: 1 }) },
      setup({ settings }) {
        if (settings.level === 9) throw new Error('too high')
      },
      fields: { closed: text({ label: 'Closed' }) },
      guard: ({ closed }) =>
        closed ? () => ({ kind: 'refuse', code: 'no', detail: 'No.', status: 403 }) : undefined,
    })
    linnet = await boot(guard)
    const link = await linnet.create({ closed: 'yes' })
    expect((await change('a.guard', { settings: { level: 9 } })).status).toBe(409)
    expect((await linnet.visit(link)).status).toBe(403)
  })
})

it('switching counts every visit once, by the old set or the new one', async () => {
  linnet = await boot(all)
  const link = await linnet.create()
  for (let round = 0; round < 10; round += 1) {
    for (let visit = 0; visit < 5; visit += 1) await linnet.visit(link)
    await change('a.mood', { enabled: round % 2 === 1 })
  }
  expect((await linnet.counts(link)).visits).toEqual({ '': 50 })
})

it('a visitor who comes before and after a switch counts once among those of the day', async () => {
  linnet = await boot([...all, uniqueVisitors])
  const link = await linnet.create()
  const totals = async () => {
    await linnet.visit(link)
    return (await linnet.api('GET', `/links/${link.id}/analytics`)).body.data.totals
  }
  expect(await totals()).toMatchObject({ visits: 1, uniqueVisitors: 1 })
  await change('a.mood', { enabled: false })
  expect(await totals()).toMatchObject({ visits: 2, uniqueVisitors: 1 })
})

it('switching off a plugin that guards says which links are shut by that', async () => {
  const { default: passwordProtection } = await import('../../plugins/link/password-protection.ts')
  linnet = await boot(passwordProtection)
  await linnet.create({ password: 'sesame' })
  await change('link.passwordProtection', { enabled: false })
  expect(linnet.log.join()).toContain('1 link is protected by link.passwordProtection')
})

itAtNight('switching takes no more memory after a hundred switches', async () => {
  const plugins = await Promise.all(
    Object.values(registry).map(async load => (await load()).default),
  )
  linnet = await boot(plugins)
  const switchOften = async (times: number) => {
    for (let round = 0; round < times; round += 1) {
      await change('link.passwordProtection', { enabled: round % 2 === 1 })
    }
    // What is gone is disposed of in the turns after.
    await new Promise(resolve => setImmediate(resolve))
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await switchOften(20)
  expect((await switchOften(100)) - before).toBeLessThan(10_000_000)
})
