import { describe, expect, it } from 'vitest'
import { analyticsAnswer } from '../../../../core/http/routes/analytics/analytics-schemas.ts'
import {
  linkChangeSchema,
  linkSchema,
  newLinkSchema,
} from '../../../../core/http/routes/links/link-schemas.ts'
import { problemSchema } from '../../../../core/http/send/problem.ts'
import { createContainment } from '../../../../core/kernel/contain/contain.ts'
import { createLinkFields } from '../../../../core/kernel/hooks/link-fields.ts'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import {
  addressesOfApi,
  namesOfAnalytics,
  namesOfLink,
  namesOfList,
  namesOfRequest,
  schemasOfApi,
} from '../../../../core/kernel/load/taken-names.ts'
import { membersOf } from '../../../../core/lib/schema/schema-members.ts'
import { namedSchemas } from '../../../../core/lib/schema/schemas-inside.ts'
import {
  definePlugin,
  listSchema,
  type Plugin,
  scopeSchema,
  sealed,
  text,
  z,
} from '../../../../core/plugin.ts'
import { boot } from '../../../harness.ts'

const mistakes = (parts: Partial<Plugin>) =>
  checkPlugin(
    definePlugin({ feature: 'a.one', about: 'A plugin for a test.', ...parts } as Plugin),
    'a.one',
  )

const counts = { usage: { moods: () => 3 } }

describe('names that the core has', () => {
  it('are all that its own answers and requests have', () => {
    const none = createLinkFields([], createContainment(console))
    expect(namesOfLink).toEqual(
      Object.keys(
        linkSchema({ answers: { shape: () => ({}), totals: {} }, statuses: { names: [] } }).shape,
      ),
    )
    expect(namesOfRequest).toEqual({
      create: [
        ...Object.keys(newLinkSchema(none, { ownHosts: new Set(), targetSchemes: [] }).shape),
        'reuse',
      ],
      edit: Object.keys(linkChangeSchema(none).shape),
    })
    const { data } = analyticsAnswer([]).shape
    const previous = data.shape.previous.unwrap()
    expect(new Set(namesOfAnalytics)).toEqual(
      new Set([...Object.keys(data.shape), ...Object.keys(previous.shape)]),
    )
  })

  it.each(namesOfLink)('are not for a plugin to show, as %s', name => {
    expect(mistakes({ fields: { [name]: text({ label: 'Mine' }) } })).toEqual([
      expect.stringMatching(`^a\\.one has a field ${name}, .* already have\\. Rename it`),
    ])
    const computed = { schema: { [name]: z.string() }, of: () => [] }
    expect(mistakes({ computed })).toEqual([
      `a.one computes ${name} of links, a name that links already have. Rename it.`,
    ])
  })

  it('are not for a plugin to ask for', () => {
    const field = text({ label: 'Mine', stored: false })
    expect(mistakes({ fields: { title: field } })).toEqual([
      'a.one has a field title, which requests for links already have. Rename it.',
    ])
  })

  it.each(namesOfAnalytics)('are not for a dimension, as %s', name => {
    expect(mistakes({ dimensions: { [name]: { label: 'Mine', of: () => '' } } })).toEqual([
      `a.one has a dimension ${name}, a name that answers of /analytics already have. Rename it.`,
    ])
  })

  it('are all that the API answers without any plugin, and describes with an id', async () => {
    const linnet = await boot([])
    const described = linnet.app.routes.flatMap(({ body, query, answer }) => [body, query, answer])
    const values = analyticsAnswer([{ name: 'visitsByMood', label: 'Mood' }])
    const named = namedSchemas([...described, values, problemSchema, scopeSchema])
    expect([...named.keys()].sort()).toEqual(schemasOfApi)
    const addresses = linnet.app.routes.map(
      ({ method, path }) => `${method} ${path.replace(/:[^/.]+/g, ':id')}`,
    )
    expect([...addressesOfApi].sort()).toEqual(addresses.sort())
    const list = linnet.app.routes.find(it => it.method === 'GET' && it.path === '/links')
    expect(namesOfList).toEqual(Object.keys(membersOf(list?.query) ?? {}))
    await linnet.stop()
  })

  it.each(namesOfList)('are not for a filter, as %s', name => {
    const filter = { query: { [name]: z.string() }, where: () => undefined }
    expect(mistakes({ filter })).toEqual([
      `a.one has a filter ${name}, a parameter that the list of links already has. Rename it.`,
    ])
  })

  it.each(['per_page', 'tag_ids', 'tag-ids', 'Mood'])(
    'are not for a filter in other letters, as %s: a request could not tell them apart',
    name => {
      const filter = { query: { [name]: z.string() }, where: () => undefined }
      expect(mistakes({ filter })).toEqual([
        `a.one has a filter ${name}: name filters in camelCase. Requests may write them in snake_case, too.`,
      ])
    },
  )

  it.each(schemasOfApi)('are not for a schema of its own, as %s', id => {
    const answering = (answer: z.ZodType) => {
      const show = { summary: 'Mine.', scope: 'links:read', answer, handle: () => undefined }
      return mistakes({ endpoints: { 'GET /moods': show } })
    }
    expect(answering(z.strictObject({ data: z.string().meta({ id }) }))).toEqual([
      `a.one has a schema with the id ${id}, which the API already has. Rename it.`,
    ])
    expect(answering(listSchema(scopeSchema))).toEqual([])
  })

  it.each(['GET /links/:link', 'PATCH /profile'] as const)(
    'are not for an endpoint, as %s',
    name => {
      const endpoints = {
        [name]: { summary: 'Mine.', scope: 'links:read', handle: () => undefined },
      }
      const address = name.replace(':link', ':id')
      expect(mistakes({ endpoints })).toEqual([
        `a.one has an endpoint ${address}, which the API already has. Use another path.`,
      ])
    },
  )

  it('are not for a set of links', () => {
    const groups = { '/links': { summary: 'Mine', links: () => undefined } }
    expect(mistakes({ groups })).toEqual([
      'a.one has an endpoint GET /links/:id/analytics, which the API already has. Use another path.',
      'a.one has an endpoint GET /links/:id/analytics.csv, which the API already has. Use another path.',
      'a.one has an endpoint GET /links/:id/analytics/links, which the API already has. Use another path.',
      'a.one has an endpoint GET /links/:id/analytics/links.csv, which the API already has. Use another path.',
    ])
  })

  it('are free for what a request gives and no answer shows again', () => {
    const shortCode = text({ label: 'Short code', stored: false })
    const originalUrl = text({ label: 'Original URL', when: 'edit', stored: false })
    expect(mistakes({ fields: { shortCode, originalUrl } })).toEqual([])
    expect(mistakes({ fields: { id: sealed({ label: 'Id' }) } })).toEqual([])
  })
})

describe('names that every object in JavaScript has', () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype)
  const refused = (parts: (name: string) => object, said: string) => {
    expect(inherited).toContain('constructor')
    for (const name of inherited) {
      expect(mistakes(parts(name)).join(' '), name).toContain(said.replace('NAME', name))
    }
    expect(mistakes(parts('mood'))).toEqual([])
  }

  it.each<readonly [string, (name: string) => object]>([
    ['settings', name => ({ settings: { [name]: text({ label: 'Mine', default: 'x' }) } })],
    ['fields', name => ({ fields: { [name]: text({ label: 'Mine' }) } })],
    ['computed', name => ({ computed: { schema: { [name]: z.string() }, of: () => [] } })],
    ['statuses', name => ({ statuses: { [name]: { label: 'Mine', rank: 1, links: () => [] } } })],
    ['filter', name => ({ filter: { query: { [name]: z.string() }, where: () => undefined } })],
    ['limits', name => ({ ...counts, limits: { [name]: { label: 'Mine', used: 'moods' } } })],
    ['usage', name => ({ usage: { [name]: () => 3 } })],
  ])('are not for its %s', (part, parts) => {
    refused(parts, `a.one has NAME in its ${part}, a name that every object in JavaScript has.`)
  })

  it('are for nothing that a request may have inside', () => {
    const inside = (name: string) => z.strictObject({ [name]: z.string().optional() })
    const taking = (parts: object) => ({
      endpoints: {
        'POST /moods': { summary: 'S', scope: 'links:write', handle: () => ({}), ...parts },
      },
    })
    const said = (place: string) => `accepts in ${place} a name that every object in JavaScript has`
    refused(
      name => taking({ body: z.strictObject({ list: inside(name) }) }),
      said('the body of POST /moods.list'),
    )
    refused(name => taking({ query: inside(name) }), said('the query of POST /moods'))
  })

  it('are free for what is only answered or shown', () => {
    const answer = z.strictObject({ data: z.strictObject({ constructor: z.string() }) })
    const show = { summary: 'Mine.', scope: 'links:read', answer, handle: () => undefined }
    expect(mistakes({ endpoints: { 'GET /moods': show } })).toEqual([])
  })
})

it('what new links show must match the schema of what a plugin computes', () => {
  const computed = { schema: { moods: z.array(z.string()) }, of: () => [] }
  expect(mistakes({ computed: { ...computed, atFirst: { moods: [] } } })).toEqual([])
  for (const atFirst of [{}, { moods: null }, { moods: [], other: 1 }]) {
    expect(mistakes({ computed: { ...computed, atFirst } })).toEqual([
      'a.one has computed.atFirst, which does not match its schema, or is not JSON.',
    ])
  }
})
