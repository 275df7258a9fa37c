import { afterEach, describe, expect, it } from 'vitest'
import {
  definePlugin,
  list,
  number,
  type Plugin,
  secret,
  text,
  z,
} from '../../../../core/plugin.ts'
import passwordProtection from '../../../../plugins/link/password-protection.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

const about = 'A plugin for a test.'
const base = definePlugin({ feature: 'a.base', about })
const scan = definePlugin({
  feature: 'a.scan',
  about,
  needs: ['a.base'],
  settings: {
    most: number({ label: 'Most', hint: 'Not too many.', default: 3, max: 10 }),
    hosts: list({ label: 'Hosts', default: [] }),
    key: secret({ label: 'Key', env: 'A_SCAN_KEY' }),
  },
  migrations: {
    '001-seen': async db => {
      await db.schema.createTable('a_scan_seen').addColumn('link_id', 'integer').execute()
    },
  },
  endpoints: {},
})
const all = [base, scan, passwordProtection]

let linnet: Harness
afterEach(() => linnet.stop())

async function start(plugins: readonly Plugin[] = all, options: HarnessOptions = {}) {
  linnet = await boot(plugins, options)
  return linnet
}

const shown = async (feature: string) => {
  const { body } = await linnet.api('GET', '/admin/plugins')
  return body.data.find((it: { feature: string }) => it.feature === feature)
}
const change = (feature: string, body: object) =>
  linnet.api('PATCH', `/admin/plugins/${feature}`, body)

describe('the list of plugins', () => {
  it('tells what each is, where that is decided, and what it has', async () => {
    await start()
    expect(await shown('a.scan')).toEqual({
      feature: 'a.scan',
      label: 'Scan',
      group: 'A',
      about,
      package: null,
      needs: ['a.base'],
      enabled: true,
      switchedOn: true,
      decidedBy: 'default',
      problem: null,
      stack: null,
      failures: [],
      guardedLinks: 0,
      tables: ['a_scan_seen'],
      settings: [
        expect.objectContaining({
          name: 'most',
          label: 'Most',
          hint: 'Not too many.',
          control: 'number',
          schema: expect.objectContaining({ type: 'integer', minimum: 0, maximum: 10 }),
          default: 3,
          value: 3,
          decidedBy: 'default',
          variable: null,
          isSet: false,
        }),
        expect.objectContaining({ name: 'hosts', value: [], control: 'list' }),
        expect.objectContaining({
          name: 'key',
          value: null,
          decidedBy: 'environment',
          variable: 'A_SCAN_KEY',
          isSet: false,
        }),
      ],
    })
  })

  it('never shows a secret, only that it is set and by which variable', async () => {
    await start(all, { env: { A_SCAN_KEY: 'sesame' } })
    const answer = await linnet.api('GET', '/admin/plugins')
    expect(JSON.stringify(answer.body)).not.toContain('sesame')
    const [, , key] = (await shown('a.scan')).settings
    expect(key).toMatchObject({ value: null, variable: 'A_SCAN_KEY', isSet: true })
  })

  it('counts the links that a plugin guards', async () => {
    await start()
    await linnet.create({ password: 'open sesame' })
    expect(await shown('link.passwordProtection')).toMatchObject({ guardedLinks: 1 })
  })

  it('says why a plugin that is on does not run, and which hooks fail', async () => {
    const fails = (): never => {
      throw new Error('boom')
    }
    const broken = definePlugin({ feature: 'a.broken', about, setup: fails })
    const shaky = definePlugin({ feature: 'a.shaky', about, target: () => fails })
    const odd = definePlugin({ feature: 'a.odd', about, target: () => () => 7 as never })
    await start([broken, shaky, odd], { withoutLeftOut: true })
    await linnet.visit(await linnet.create())
    expect(await shown('a.broken')).toMatchObject({
      enabled: false,
      switchedOn: true,
      problem: 'its set-up failed: boom',
      stack: expect.stringContaining('plugin-routes.test.ts'),
    })
    expect(await shown('a.shaky')).toMatchObject({
      enabled: true,
      problem: null,
      stack: null,
      failures: [
        {
          hook: 'target',
          failures: 1,
          isResting: false,
          last: 'boom',
          stack: expect.stringMatching(/^Error: boom\n\s+at fails \(.*plugin-routes\.test\.ts/),
        },
      ],
    })
    // Nothing of it was thrown.
    expect((await shown('a.odd')).failures).toMatchObject([{ hook: 'target', stack: null }])
  })
})

describe('switching a plugin', () => {
  it('takes effect at once, and stays so', async () => {
    await start()
    const link = await linnet.create({ password: 'open sesame' })
    const { status, body } = await change('link.passwordProtection', { enabled: false })
    expect(status).toBe(200)
    const off = {
      feature: 'link.passwordProtection',
      about: passwordProtection.about,
      enabled: false,
      switchedOn: false,
      decidedBy: 'setting',
      guardedLinks: 1,
    }
    expect(body.data).toMatchObject(off)
    expect((await linnet.visit(link)).status).toBe(503)
    const given = { originalUrl: 'https://example.com/', password: 'open sesame' }
    expect(await linnet.api('POST', '/links', given)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'password' }] },
    })

    linnet = await linnet.restart(all)
    expect((await linnet.visit(link)).status).toBe(503)
    expect(await shown('link.passwordProtection')).toMatchObject(off)
    const on = await change('link.passwordProtection', { enabled: true })
    expect(on.body.data).toMatchObject({ enabled: true, decidedBy: 'default' })
    expect((await linnet.visit(link)).status).toBe(403)
    expect((await linnet.api('POST', '/links', given)).status).toBe(201)
  })

  it('is refused when it would leave a need unmet, one way or the other', async () => {
    await start()
    expect(await change('a.base', { enabled: false })).toMatchObject({
      status: 409,
      body: { code: 'needed', detail: 'a.scan needs a.base. Switch that off first.' },
    })
    await change('a.scan', { enabled: false })
    expect((await change('a.base', { enabled: false })).status).toBe(200)
    expect(await change('a.scan', { enabled: true })).toMatchObject({
      status: 409,
      body: { code: 'needs_unmet', detail: 'a.scan needs a.base. Switch that on first.' },
    })
  })

  it('is refused for both of two changes at once that do not go together', async () => {
    await start()
    await change('a.scan', { enabled: false })
    const answers = await Promise.all([
      change('a.base', { enabled: false }),
      change('a.scan', { enabled: true }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 409])
  })

  it('is refused while the environment decides', async () => {
    await start(all, { pluginsFixed: true })
    expect(await shown('a.scan')).toMatchObject({ decidedBy: 'environment' })
    expect(await change('a.scan', { enabled: false })).toMatchObject({
      status: 409,
      body: {
        code: 'fixed_by_environment',
        detail: 'The environment variable PLUGINS decides which plugins are on: change it there.',
      },
    })
    expect((await change('a.scan', { enabled: true })).status).toBe(200)
  })

  it.each(['a.nothing', 'constructor'])('that is not there is 404: %s', async feature => {
    await start()
    expect((await change(feature, { enabled: false })).status).toBe(404)
  })
})

describe('settings of a plugin', () => {
  it('are kept as they are given, and used at once', async () => {
    const used: unknown[] = []
    const reading = {
      ...scan,
      setup: (context: { settings: { most?: unknown } }) => {
        used.push(context.settings.most)
      },
    } as Plugin
    await start([base, reading])
    const { body } = await change('a.scan', { settings: { most: 7, hosts: ['example.org'] } })
    expect(body.data.settings).toMatchObject([
      { name: 'most', value: 7, decidedBy: 'setting', isSet: true },
      { name: 'hosts', value: ['example.org'] },
      { name: 'key' },
    ])
    expect(used).toEqual([3, 7])
    await change('a.scan', { settings: { most: 7 } })
    await change('a.base', { settings: {} })
    expect(used).toEqual([3, 7])
    linnet = await linnet.restart([base, reading])
    expect(used).toEqual([3, 7, 7])
  })

  it('that are null go back to their defaults; what is absent stays', async () => {
    await start()
    await change('a.scan', { settings: { most: 7, hosts: ['example.org'] } })
    const { body } = await change('a.scan', { settings: { most: null } })
    expect(body.data.settings).toMatchObject([
      { value: 3, isSet: false },
      { value: ['example.org'] },
      {},
    ])
    const clear = await change('a.scan', { settings: { hosts: null } })
    expect(clear.body.data.settings[1]).toMatchObject({ value: [], isSet: false })
  })

  it('are refused with the reason when the plugin fails to check or to open them', async () => {
    const boom = (value: unknown) => {
      if (value === 'boom') throw new Error('it blew up')
      return true
    }
    const settings = {
      tone: { ...text({ label: 'Tone', default: 'low' }), schema: z.string().refine(boom) },
      mood: { ...text({ label: 'Mood', default: 'calm' }), open: boom },
      taste: {
        ...text({ label: 'Taste', default: 'sweet' }),
        schema: z.string().refine(value => value === 'sweet' || Promise.resolve(true)),
      },
    }
    await start([base, definePlugin({ feature: 'a.faulty', about, settings })])
    const refusals = []
    for (const some of [{ tone: 'boom' }, { mood: 'boom' }, { taste: 'sour' }]) {
      const { status, body } = await change('a.faulty', { settings: some })
      refusals.push([status, body.detail])
    }
    expect(refusals).toEqual([
      [409, 'The check of a setting failed, with: it blew up.'],
      [409, expect.stringContaining('its check failed, with: it blew up')],
      [409, 'The check of a setting failed, because it is asynchronous.'],
    ])
    expect((await change('a.faulty', { settings: { tone: 'high' } })).status).toBe(200)
  })

  it('that are wrong are refused, all of them by name, and nothing is kept', async () => {
    await start()
    const { status, body } = await change('a.scan', {
      enabled: 'no',
      settings: { most: 11, hosts: 'example.org', key: 'sesame', colour: 'red' },
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'enabled',
      'settings.colour',
      'settings.hosts',
      'settings.key',
      'settings.most',
    ])
    expect(body.errors).toContainEqual({
      field: 'settings.key',
      code: 'invalid',
      message: 'This comes from the environment: set A_SCAN_KEY and restart.',
    })
    const half = await change('a.scan', { enabled: false, settings: { most: 11 } })
    expect(half.status).toBe(422)
    expect(await shown('a.scan')).toMatchObject({ enabled: true, switchedOn: true })
  })

  it.each([[[]], ['text'], [7]])('need an object to be in, not %j', async body => {
    await start()
    expect((await change('a.scan', body as object)).status).toBeGreaterThanOrEqual(400)
  })
})
