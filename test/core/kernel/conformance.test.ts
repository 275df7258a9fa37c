import { describe, expect, it } from 'vitest'
import { choice, definePlugin, type Plugin } from '../../../core/plugin.ts'
import { conformance } from '../../conformance.ts'
import { boot } from '../../harness.ts'

const plugin = (hooks: Partial<Plugin>) =>
  definePlugin({ feature: 'a.plugin', about: 'A plugin for a test.', ...hooks } as Plugin)

/** The names of the checks that it does not pass. */
async function failures(of: Plugin): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, run } of conformance(of)) await run().catch(() => failed.push(name))
  return failed
}

const boom = () => {
  throw new Error('boom')
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
    await expect(boot(plugin(hooks))).rejects.toThrow(/^a\.plugin is left out: /)
    const house = await boot(plugin(hooks), { withoutLeftOut: true })
    expect(house.app.plugins.running).toEqual([])
    await house.stop()
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
})
