import { describe, expect, it } from 'vitest'
import { loadPlugins } from '../../../../core/kernel/load/load-plugins.ts'
import {
  definePlugin,
  field,
  listSchema,
  type Plugin,
  page,
  type Registry,
  refuse,
  text,
  z,
} from '../../../../core/plugin.ts'

function plugin(feature: Plugin['feature'], more: Partial<Plugin> = {}): Plugin {
  return definePlugin({ feature, about: 'Something for a test.', ...more } as Plugin)
}

function registryOf(...plugins: Plugin[]): Registry {
  return Object.fromEntries(plugins.map(it => [it.feature, async () => ({ default: it })]))
}

const nowhere = refuse('nowhere', 'Nowhere.', 403)

const features = (plugins: readonly Plugin[]) => plugins.map(({ feature }) => feature)

describe('loading plugins', () => {
  it('imports only what is on', async () => {
    const imported: string[] = []
    const registry: Registry = {
      'a.on': async () => {
        imported.push('a.on')
        return { default: plugin('a.on') }
      },
      'a.off': async () => {
        imported.push('a.off')
        return { default: plugin('a.off') }
      },
    }
    const { plugins } = await loadPlugins(registry, ['a.on'])
    expect(features(plugins)).toEqual(['a.on'])
    expect(imported).toEqual(['a.on'])
  })

  it('keeps the order of the registry, whatever the order of the list', async () => {
    const registry = registryOf(plugin('a.one'), plugin('a.two'), plugin('a.three'))
    const { plugins } = await loadPlugins(registry, ['a.three', 'a.one'])
    expect(features(plugins)).toEqual(['a.one', 'a.three'])
  })

  it('puts what a plugin needs before it', async () => {
    const registry = registryOf(plugin('a.one', { needs: ['a.two'] }), plugin('a.two'))
    const { plugins } = await loadPlugins(registry, ['a.one', 'a.two'])
    expect(features(plugins)).toEqual(['a.two', 'a.one'])
  })

  it('puts a plugin before those that it wants to run before', async () => {
    const registry = registryOf(
      plugin('a.one'),
      plugin('a.two'),
      plugin('b.first', { before: ['a.two', 'a.absent'] }),
      plugin('b.zeroth', { before: ['b.first'] }),
    )
    const { plugins, mistakes } = await loadPlugins(registry, Object.keys(registry))
    expect(mistakes).toEqual([])
    expect(features(plugins)).toEqual(['a.one', 'b.zeroth', 'b.first', 'a.two'])
  })

  it('puts a plugin after those that it wants to run after, and one from outside after ours otherwise', async () => {
    const registry = registryOf(
      plugin('b.last', { after: ['b.first', 'b.absent'] }),
      plugin('b.first'),
      plugin('a.two', { after: ['a.three'] }),
      plugin('a.three'),
    )
    const { plugins } = await loadPlugins(registry, Object.keys(registry), ['b.last', 'b.first'])
    expect(features(plugins)).toEqual(['a.three', 'a.two', 'b.first', 'b.last'])
  })

  it('leaves out what does not go with the others, when it is from outside', async () => {
    const field = { code: text({ label: 'Code' }) }
    const registry = registryOf(
      plugin('a.ours', { fields: field }),
      plugin('b.needy', { needs: ['b.late'] }),
      plugin('b.late'),
      plugin('b.lost', { needs: ['b.clashing'] }),
      plugin('b.clashing', { fields: field }),
      plugin('b.circular', { needs: ['a.ours'], before: ['a.ours'] }),
    )
    const on = Object.keys(registry)
    const outside = on.filter(feature => feature.startsWith('b.'))
    const { plugins, mistakes, leftOut } = await loadPlugins(registry, on, outside)
    expect(mistakes).toEqual([])
    expect(features(plugins)).toEqual(['a.ours', 'b.late', 'b.needy'])
    expect(leftOut).toEqual({
      'b.lost': 'b.lost needs b.clashing. Switch that on too, or switch this off',
      'b.clashing':
        'a.ours and b.clashing both have the create field code. Rename one; ' +
        'a.ours and b.clashing both have the edit field code. Rename one; ' +
        'a.ours and b.clashing both have the code of links. Rename one',
      'b.circular': expect.stringMatching(/^Plugins wait for each other in a circle: /),
    })
  })

  it('refuses a second schema with the same id, and not the same schema in two plugins', async () => {
    const moods = (answer: z.ZodType) => ({
      computed: { schema: { mood: answer.nullable() }, of: () => [] },
    })
    const first = z.strictObject({ glad: z.boolean() }).meta({ id: 'Mood' })
    const other = z.strictObject({ sad: z.boolean() }).meta({ id: 'Mood' })
    const show = (answer: z.ZodType) => ({
      endpoints: {
        'GET /feelings': {
          summary: 'Feelings',
          scope: 'links:read',
          answer: listSchema(answer),
          handle: () => undefined,
        },
      },
    })
    const together = async (second: z.ZodType) => {
      const registry = registryOf(plugin('a.one', moods(first)), plugin('b.two', show(second)))
      return (await loadPlugins(registry, Object.keys(registry))).mistakes
    }
    expect(await together(other)).toEqual([
      'a.one and b.two both have a schema with the id Mood. Rename one.',
    ])
    expect(await together(first)).toEqual([])
  })

  it('names everything that two plugins share, and of three the one that had it first', async () => {
    const visitsByMood = { label: 'Mood', of: () => '' }
    const common: Partial<Plugin> = {
      fields: { mood: text({ label: 'Mood', when: 'edit', stored: false }) },
      computed: { schema: { moods: z.array(z.string()) }, of: () => [] },
      filter: { query: { moodId: z.string() }, where: () => undefined },
      statuses: { moody: { label: 'Moody', rank: 1, links: () => undefined as never } },
      dimensions: { visitsByMood },
      usage: { moodsCount: () => 0 },
      views: { '+': () => page({ heading: '' }) },
      groups: { '/moods': { summary: 'Moods', links: () => undefined } },
    }
    const show = { summary: 'A mood', scope: 'links:read', handle: () => undefined }
    const registry = registryOf(
      plugin('a.first', { ...common, endpoints: { 'GET /moods/:id': show } }),
      plugin('b.second', { ...common, endpoints: { 'GET /moods/:mood': show } }),
      plugin('c.third', { dimensions: { visitsByMood } }),
      plugin('a.tablesOf'),
      plugin('aTables.of'),
      plugin('a.tablesOfMine'),
    )
    const { mistakes } = await loadPlugins(registry, Object.keys(registry))
    const shared = (name: string) => `a.first and b.second both have the ${name}. Rename one.`
    expect(mistakes).toEqual([
      shared('edit field mood'),
      shared('moods of links'),
      shared('filter moodId'),
      shared('status moody'),
      shared('dimension visitsByMood'),
      shared('usage moodsCount'),
      shared('view +'),
      shared('endpoint GET /moods/:id'),
      shared('endpoint GET /moods/:id/analytics'),
      shared('endpoint GET /moods/:id/analytics.csv'),
      shared('endpoint GET /moods/:id/analytics/links'),
      shared('endpoint GET /moods/:id/analytics/links.csv'),
      'a.first and c.third both have the dimension visitsByMood. Rename one.',
      'a.tablesOf and aTables.of would share tables: rename one of the two.',
      'a.tablesOf and a.tablesOfMine would share tables: rename one of the two.',
      'aTables.of and a.tablesOfMine would share tables: rename one of the two.',
    ])
  })

  it('refuses a mount that would hide something of the API', async () => {
    const mount = { handle: () => undefined }
    const show = { summary: 'A mood', scope: 'links:read', handle: () => undefined }
    const registry = registryOf(
      plugin('a.ours', { mounts: { 'api/v1/links': mount, 'api/v1/link': mount } }),
      plugin('b.second', { endpoints: { 'GET /moods/:id': show } }),
      plugin('c.third', { mounts: { 'api/v1/moods': mount } }),
    )
    expect((await loadPlugins(registry, Object.keys(registry))).mistakes).toEqual([
      'a.ours has a mount api/v1/links, which would hide /links. Rename it.',
      'c.third has a mount api/v1/moods, which would hide /moods/:id. Rename it.',
    ])
  })

  it('refuses a plugin that lets unknown fields pass, or has no schema of ours', async () => {
    const make = { summary: 'A mood', scope: 'links:write', handle: () => undefined }
    const loose = z.strictObject({ moods: z.array(z.object({ name: z.string() })) })
    const foreign = { parse: () => undefined } as unknown as z.ZodType
    const registry = registryOf(
      plugin('a.ours'),
      plugin('b.loose', { endpoints: { 'POST /moods': { ...make, body: loose } } }),
      plugin('b.field', {
        fields: { mood: field(z.object({}), { label: 'Mood', control: 'text', stored: false }) },
      }),
      plugin('b.filter', {
        filter: { query: { mood: z.object({}) }, where: () => undefined },
      }),
      plugin('b.foreign', { endpoints: { 'POST /moods': { ...make, body: foreign } } }),
    )
    const { mistakes } = await loadPlugins(registry, Object.keys(registry))
    expect(mistakes).toEqual([
      'b.loose accepts unknown fields in the body of POST /moods.moods[]. Make it a z.strictObject.',
      'b.field accepts unknown fields in mood. Make it a z.strictObject.',
      'b.filter accepts unknown fields in the filter mood. Make it a z.strictObject.',
      'b.foreign has a wrong endpoints.POST /moods.body. Make it with the z of linnet/plugin.',
    ])
  })

  it('takes features that are called alike in two groups', async () => {
    const registry = registryOf(plugin('organization.tags'), plugin('integration.tags'))
    const { plugins, mistakes } = await loadPlugins(registry, Object.keys(registry))
    expect([plugins.length, mistakes]).toEqual([2, []])
  })

  it('prints a circle of needs', async () => {
    const registry = registryOf(
      plugin('a.one', { needs: ['a.two'] }),
      plugin('a.two', { needs: ['a.three'] }),
      plugin('a.three', { needs: ['a.one'] }),
    )
    const { mistakes } = await loadPlugins(registry, ['a.one', 'a.two', 'a.three'])
    expect(mistakes).toEqual([
      'Plugins wait for each other in a circle: a.one -> a.two -> a.three -> a.one. Remove one need, "before" or "after".',
    ])
  })

  it('reports all mistakes at once, each with its remedy', async () => {
    const field = { code: text({ label: 'Code' }) }
    const registry: Registry = {
      ...registryOf(
        plugin('a.needy', { needs: ['a.missing'] }),
        plugin('a.one', { fields: field }),
        plugin('a.two', { fields: field }),
        plugin('a.old', { api: 0 }),
        plugin('a.silent', { about: '' }),
        plugin('a.eager', { before: 'a.one' as unknown as string[] }),
        plugin('a.grouping', { groups: { '/Tags/': { summary: 'Tags', links: () => undefined } } }),
        plugin('a.crowd', {
          dimensions: { crowd: { label: 'Crowd', distinct: true, of: () => '' } },
        }),
        plugin('a.serves', {
          endpoints: {
            'GET /moods': { summary: 'Show moods', scope: 'links:reed', handle: () => undefined },
          },
        }),
        plugin('a.grants', { scopes: ['moods:read', 'moods'] }),
        plugin('a.totals', { unstable: { totals: { total: 'visitsByMood', fromMoods: 'moods' } } }),
        plugin('a.keys', {
          fields: { moodNumber: text({ label: 'Number' }) },
          unstable: { keys: ['moodNumber'] },
        }),
        plugin('a.limits', {
          limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } },
          usage: { linksCreatedThisMonth: () => 0 },
          endpoints: {
            'POST /moods': {
              summary: 'Keep a mood',
              scope: 'links:write',
              limit: 'maxWords',
              handle: () => undefined,
            },
          },
        }),
        plugin('a.signs', {
          unstable: {
            providers: {
              'my work': { label: 'Work', begin: () => nowhere, finish: () => nowhere },
            },
          },
        }),
        plugin('a.clock', {
          jobs: Object.fromEntries(
            ['hourly', '* * * * * *', ' 17  3 * * 1-5 '].map(every => [
              every.trim(),
              { every, run: () => undefined },
            ]),
          ),
        }),
        plugin('a.paths', {
          endpoints: Object.fromEntries(
            ['PUT /w', 'GET /moods.csv'].map(name => [
              name,
              { summary: 'Show moods', scope: 'links:read', handle: () => undefined },
            ]),
          ),
        }),
      ),
      'a.broken': async () => {
        throw new Error('Cannot find package "left-pad"')
      },
      'a.empty': async () => ({ default: undefined as unknown as Plugin }),
      'a.liar': async () => ({ default: plugin('a.other') }),
    }
    const { mistakes } = await loadPlugins(registry, [...Object.keys(registry), 'a.unknown'])
    expect(mistakes).toEqual([
      expect.stringMatching(/^There is no plugin a\.unknown: the plugins are a\.needy, /),
      expect.stringMatching(/^a\.old was written for plugin API 0, this is 1: update/),
      expect.stringMatching(/^a\.silent has no valid description\. Set about to one line/),
      "a.eager has an invalid before. Write before: ['group.name'].",
      expect.stringMatching(
        /^a\.grouping has a group "\/Tags\/"\. Name it by a path, such as \/moods/,
      ),
      expect.stringMatching(/^a\.crowd has a dimension crowd that counts unique values/),
      'a.grants has a scope "moods": name it by what may be read or written, such as moods:read.',
      'a.totals has a total total. Name it in camelCase, but not total or undated, which links already have.',
      "a.totals has a total total of visitsByMood, which is not one of its own dimensions with chart: 'number' that count visits.",
      "a.totals has a total fromMoods of moods, which is not one of its own dimensions with chart: 'number' that count visits.",
      'a.keys has a key moodNumber, which is not both one of its fields and a parameter of its filter. Add what is missing.',
      'a.limits has linksCreatedThisMonth among its usage, a name that plans already have. Rename it.',
      'a.limits has a limit maxMoods of moodsCount, which it does not count. Add usage: { moodsCount() { … } }.',
      'a.limits has an endpoint "POST /moods" with the limit maxWords, which is not one of its own. Add it to limits.',
      'a.signs signs in by "my work": name providers and steps in camelCase.',
      expect.stringMatching(/^a\.clock runs its job hourly every "hourly"\. Use five cron fields/),
      expect.stringMatching(
        /^a\.clock runs its job \* \* \* \* \* \* every .+\. Use five cron fields/,
      ),
      'a.paths has an endpoint "PUT /w" that takes no file. Only one with unstable.file can be called by PUT.',
      expect.stringMatching(/^a\.paths has an endpoint "GET \/moods\.csv"\. Name it by GET/),
      expect.stringMatching(/^a\.broken cannot be loaded: Cannot find package "left-pad"\. Repair/),
      expect.stringMatching(/^a\.empty exports no plugin/),
      'a.liar calls itself a.other: list it under that name.',
      'a.needy has a.missing in needs, which no plugin here is called. Install that plugin first, or correct the name.',
      'a.one and a.two both have the create field code. Rename one.',
      'a.one and a.two both have the edit field code. Rename one.',
      'a.one and a.two both have the code of links. Rename one.',
      expect.stringMatching(
        /^a\.serves has an endpoint "GET \/moods" with the scope links:reed, which no token can have. Add it to scopes, or use one of \*, /,
      ),
    ])
  })
})
