import { describe, expect, it } from 'vitest'
import {
  choice,
  definePlugin,
  type Plugin,
  type Provider,
  refuse,
  type Step,
  toggle,
  z,
} from '../../../core/plugin.ts'
import { type ConformanceOptions, conformance } from '../../conformance.ts'
import { boot } from '../../harness.ts'

const plugin = (hooks: Partial<Plugin>) =>
  definePlugin({ feature: 'a.plugin', about: 'A plugin for a test.', ...hooks } as Plugin)

/** The names of the checks that it does not pass. */
async function failures(
  of: Plugin,
  samples: NonNullable<ConformanceOptions['samples']> = {},
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, run } of conformance(of, { samples }))
    await run().catch(() => failed.push(name))
  return failed
}

const boom = () => {
  throw new Error('boom')
}

const anyAnswer: Step = {
  ...{ label: 'Code', method: 'otp' },
  ask: () => ({ text: 'Which code?', kind: 'code' }),
  check: () => undefined,
}
const knowsAll: Provider = {
  label: 'Work',
  begin: ({ state }) => ({ redirect: `https://login.example.org/?state=${state}` }),
  finish: () => ({
    ...{ issuer: 'https://login.example.org', subject: '1', create: {} },
    ...{ email: 'ada.lovelace@example.org', isEmailVerified: true },
  }),
}

describe('conformance', () => {
  it('takes the first word of a choice for its sample', async () => {
    const mood = choice(['calm', 'cross'], { label: 'Mood' })
    expect(await failures(plugin({ fields: { mood } }))).toEqual([])
  })

  it.each<[string, Partial<Plugin>]>([
    ['set-up throws', { setup: boom }],
    ['migration throws', { migrations: { '1': async () => boom() } }],
    [
      'migration makes a table that is not its own',
      {
        migrations: {
          '1': db => db.schema.createTable('my_table').addColumn('id', 'integer').execute(),
        },
      },
    ],
    [
      'second migration throws half-way',
      {
        migrations: {
          '1': db => db.schema.createTable('a_plugin_own').addColumn('id', 'integer').execute(),
          '2': async db => {
            await db.schema.createTable('a_plugin_more').addColumn('id', 'integer').execute()
            boom()
          },
        },
      },
    ],
  ])('is failed by a plugin whose %s', async (_, hooks) => {
    expect(await failures(plugin(hooks))).toContain('starts')
    await expect(boot(plugin(hooks))).rejects.toThrow(/^a\.plugin does not run: /)
    const linnet = await boot(plugin(hooks), { withoutLeftOut: true })
    expect(linnet.app.plugins.running).toEqual([])
    await linnet.stop()
  })

  it('is passed by a filter that does not call its parameter optional, unless it throws', async () => {
    const filter = (where: () => undefined) =>
      failures(plugin({ filter: { query: { mood: z.string() }, where } }))
    expect(await filter(() => undefined)).toEqual([])
    expect(await filter(boom)).toEqual(['lets links be listed'])
  })

  it.each<[string, NonNullable<Plugin['dimensions']>[string]['of']]>([
    ['the hour of the day', ({ at }) => String(at.getUTCHours()).padStart(2, '0')],
    ['the year', ({ at }) => String(at.getUTCFullYear())],
    ['a word of the referer', ({ referer }) => referer.split('/')[2]],
  ])('is passed by a dimension that counts %s', async (_, of) => {
    const dimensions = { counted: { label: 'Counted', of } }
    expect(await failures(plugin({ dimensions }))).toEqual([])
  })

  it.each<[string, NonNullable<Plugin['dimensions']>[string]['of']]>([
    ['whoever says nothing as somebody', ({ userAgent }) => userAgent || 'Unknown'],
    ['the hour and whoever says nothing', ({ at, language }) => `${at.getUTCHours()} ${language}`],
    ['everybody', () => 'everybody'],
  ])('is failed by a dimension that counts %s', async (_, of) => {
    const dimensions = { counted: { label: 'Counted', of } }
    expect(await failures(plugin({ dimensions }))).toEqual(['reads nothing into an empty visit'])
  })

  it('gives a link only what goes together, where several sets of samples say so', async () => {
    const one = plugin({
      fields: { left: toggle({ label: 'Left' }), right: toggle({ label: 'Right' }) },
      validate: ({ fields: { left, right } }) =>
        left && right ? refuse('both', 'It is left or right.') : undefined,
    })
    expect(await failures(one)).toEqual([
      'keeps its data while it is off, and guards what it guarded',
    ])
    expect(await failures(one, [{ left: true }, { right: true }])).toEqual([])
    expect(await failures(one, [{ left: true }, { left: true, right: true }])).not.toEqual([])
  })

  it.each<[string, Partial<Plugin>]>([
    ['second step takes any answer', { unstable: { steps: { code: anyAnswer } } }],
    ['provider knows everybody who comes back', { unstable: { providers: { work: knowsAll } } }],
  ])('is failed by a plugin whose %s', async (_, hooks) => {
    expect(await failures(plugin(hooks))).toEqual([
      'signs nobody in by nonsense, and keeps accounts closed while it is off',
    ])
  })

  it('brings the bundled plugins that a plugin needs, each with its own tables', async () => {
    expect(await failures(plugin({ needs: ['organization.tags'] }))).toEqual([])
  })
})

describe('boot', () => {
  it('takes bundled plugins by name, and brings what is needed, in order', async () => {
    const needy = plugin({ needs: ['analytics.visitsByBrowser'] })
    const linnet = await boot([needy, 'link.passwordProtection'])
    expect(linnet.app.plugins.running.map(it => it.plugin.feature)).toEqual([
      'analytics.visitsTracking',
      'analytics.visitsByBrowser',
      'a.plugin',
      'link.passwordProtection',
    ])
    const link = await linnet.create({ password: 'open sesame' })
    expect((await linnet.visit(link)).text).toContain('This link is protected')
    await linnet.stop()
  })

  it('takes a stand-in for a bundled plugin', async () => {
    const standIn = definePlugin({ feature: 'organization.tags', about: 'Stands in for tags.' })
    const linnet = await boot([plugin({ needs: ['organization.tags'] }), standIn])
    expect(linnet.app.plugins.running.map(it => it.plugin)).toContain(standIn)
    await linnet.stop()
  })

  it('says what it was given in place of a plugin', async () => {
    for (const wrong of [undefined, null, 7, { default: plugin({}) }]) {
      await expect(boot(wrong as unknown as Plugin)).rejects.toThrow(
        /^That is no plugin: give what/,
      )
    }
    await expect(boot('link.sesame')).rejects.toThrow('No plugin link.sesame comes with Linnet.')
    await expect(boot(plugin({ needs: ['a.lost'] }))).rejects.toThrow(
      'a.plugin has a.lost in needs',
    )
  })
})
