import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../../../core/kernel/load/check-plugin.ts'
import {
  choice,
  definePlugin,
  field,
  number,
  type Plugin,
  text,
  z,
} from '../../../../../core/plugin.ts'

/** What is said of a plugin in JavaScript, which no compiler has seen. */
const saidOf = (parts: object) =>
  checkPlugin(
    definePlugin({
      feature: 'a.one',
      about: 'A plugin for a test.',
      ...parts,
    } as unknown as Plugin),
    'a.one',
  )

const nothing = () => undefined
const refusing = () => {
  throw null
}
const show = { summary: 'A mood', scope: 'links:read', handle: nothing }

describe('a part that no plugin has', () => {
  it.each([
    [{ gaurd: nothing }, 'gaurd. Did you mean guard?'],
    [{ feilds: {} }, 'feilds. Did you mean fields?'],
    [{ providers: {} }, 'providers. Write it below unstable: unstable: { providers: … }.'],
    [{ unknown: nothing }, 'unknown. Write it below unstable: unstable: { unknown: … }.'],
    [{ onVisited: nothing }, 'onVisited. Did you mean on: { visited() { … } }?'],
    [{ onCreate: nothing }, 'onCreate. Did you mean on: { created() { … } }?'],
    [{ deleted: nothing }, 'deleted. Did you mean on: { deleted() { … } }?'],
    [{ on: { update: nothing } }, 'on.update. Did you mean updated?'],
    [
      { statuses: { paused: { label: 'Paused', rank: 1, link: nothing, links: nothing } } },
      'statuses.paused.link. Did you mean links?',
    ],
    [
      { endpoints: { 'GET /moods': { ...show, handel: nothing } } },
      'endpoints.GET /moods.handel. Did you mean handle?',
    ],
    [
      { somethingNew: nothing },
      'somethingNew. Remove it, or update Linnet if a newer version knows it.',
    ],
  ])('is refused, with what was probably meant: %o', (parts, said) => {
    expect(saidOf(parts)).toEqual([`a.one has an unknown part ${said}`])
  })
})

describe('a part of another kind', () => {
  it.each([
    [{ guard: {} }, 'guard. Write a function.'],
    [{ save: 'yes' }, 'save. Write a function.'],
    [{ migrations: { '1': 'create table' } }, 'migrations.1. Write a function.'],
    [{ fields: [text({ label: 'Mood' })] }, 'fields. Write an object.'],
    [{ jobs: { tick: null } }, 'jobs.tick. Write an object.'],
    [{ jobs: { tick: { every: '* * * * *' } } }, 'jobs.tick.run. Write a function.'],
    [
      { fields: { mood: z.string() } },
      'fields.mood. Make it with text({ label: … }), number({ label: … }) or another function of linnet/plugin.',
    ],
    [
      { settings: { max: 5 } },
      'settings.max. Make it with text({ label: … }), number({ label: … }) or another function of linnet/plugin.',
    ],
    [{ filter: { where: nothing } }, 'filter.query. Write { name: z.string() }.'],
    [
      { computed: { schema: { mood: 'string' }, of: () => [] } },
      'computed.schema. Write { name: z.string() }.',
    ],
    [{ site: 'moods' }, 'site. Write an object.'],
    [{ reads: ['moon'] }, "reads. Write reads: ['place'] or ['city']."],
    [{ reads: 'place' }, "reads. Write reads: ['place'] or ['city']."],
    [
      { dimensions: { visitsByMood: { label: 'Mood', chart: 'pie', of: nothing } } },
      'dimensions.visitsByMood.chart. Write one of bar, map, line, table, number.',
    ],
    [
      { jobs: { tick: { every: '* * * * *', label: 5, run: nothing } } },
      'jobs.tick.label. Write a text.',
    ],
    [
      { endpoints: { 'GET /a': { ...show, status: 'ok' } } },
      'endpoints.GET /a.status. Write a number from 200 to 299.',
    ],
    [
      { endpoints: { 'GET /a': { ...show, media: 5 } } },
      "endpoints.GET /a.media. Write a list, such as ['image/png'].",
    ],
    [
      { endpoints: { 'GET /a': { ...show, rateLimit: 5 } } },
      "endpoints.GET /a.rateLimit. Write { max: 10, seconds: 60 } or 'currentPassword'.",
    ],
    [{ views: { '+x': 'x' } }, 'views.+x. Write a function.'],
    [{ statuses: { paused: null } }, 'statuses.paused. Write an object.'],
    [{ migrations: [nothing] }, 'migrations. Write an object.'],
    [{ flag: 5 }, 'flag. Write a text.'],
    [{ unstable: { totals: 5 } }, 'unstable.totals. Write an object.'],
    [
      {
        unstable: { steps: { code: { label: 'C', method: 'a b', ask: nothing, check: nothing } } },
      },
      "unstable.steps.code.method. Write a word of RFC 8176, such as 'otp'.",
    ],
    [
      { unstable: { providers: { work: { label: 'W', begin: nothing } } } },
      'unstable.providers.work.finish. Write a function.',
    ],
    [
      { endpoints: { 'GET /a': { ...show, unstable: { fresh: true } } } },
      'endpoints.GET /a.unstable.fresh. Write a number of seconds.',
    ],
    [{ computed: (links: unknown) => links }, 'computed. Write an object.'],
    [{ filter: nothing }, 'filter. Write an object.'],
    [
      { endpoints: { 'GET /moods': { ...show, answer: { at: z.string() } } } },
      'endpoints.GET /moods.answer. Make it with the z of linnet/plugin.',
    ],
  ])('is refused, and no check fails itself: %o', (parts, said) => {
    expect(saidOf(parts)).toEqual([`a.one has a wrong ${said}`])
  })
})

it.each([
  [{ computed: { schema: { n: z.bigint() }, of: () => [] } }, 'n'],
  [
    {
      computed: {
        schema: { n: z.array(z.object({ at: z.map(z.string(), z.any()) })) },
        of: () => [],
      },
    },
    'n[].at',
  ],
  [
    { fields: { due: field(z.coerce.bigint() as never, { label: 'Due', control: 'number' }) } },
    'due',
  ],
  [
    { endpoints: { 'GET /moods': { ...show, answer: z.object({ data: z.set(z.string()) }) } } },
    'the answer of GET /moods.data',
  ],
])('values that JSON has no form for are refused: %o', (parts, at) => {
  const said = `a.one has values in ${at} that JSON has no form for. Make them texts or numbers.`
  expect(saidOf(parts)).toEqual([said])
})

describe('what the description of the API could not show of a plugin', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const mood = () => z.string().meta({ id: 'Mood' })
  const same = mood()
  const twice = z.strictObject({ one: same, other: same.max(9) })

  it.each([
    ['a bigint', z.string().meta({ examples: [1n] }), 'data'],
    ['what has itself in it', z.string().meta({ more: cyclic }), 'data'],
    ['two schemas of one name', z.strictObject({ one: mood(), other: mood() }), 'data.other'],
  ])('is refused: %s', (_, data, at) => {
    expect(() => z.toJSONSchema(data)).toThrow()
    const said = (place: string) =>
      `a.one has ${place} with an example or another meta that JSON has no form for, or with the id of another schema. Correct its meta({ … }).`
    const answer = z.strictObject({ data })
    expect(saidOf({ endpoints: { 'GET /moods': { ...show, answer } } })).toEqual([
      said(`the answer of GET /moods.${at}`),
    ])
    const filter = { query: { data }, where: nothing }
    expect(saidOf({ filter })).toContain(said(`the filter ${at}`))
    expect(saidOf({ computed: { schema: { data }, of: () => [] } })).toEqual([said(at)])
    const body = z.strictObject({ data })
    expect(saidOf({ endpoints: { 'POST /moods': { ...show, body } } })).toEqual([
      said(`the body of POST /moods.${at}`),
    ])
  })

  it.each([
    ['usual examples', z.string().meta({ examples: ['glad', 5, null] })],
    ['one schema in two places', z.strictObject({ one: same, other: same.optional() })],
    ['a copy that loses its id', twice],
  ])('is not: %s', (_, data) => {
    expect(z.toJSONSchema(data)).toBeDefined()
    expect(saidOf({ computed: { schema: { data }, of: () => [] } })).toEqual([])
  })
})

it('what a new link shows is refused if it does not match its schema, or is not JSON', () => {
  const said = 'a.one has computed.atFirst, which does not match its schema, or is not JSON.'
  for (const atFirst of [{ n: 5n }, { m: 5 }, 5]) {
    const computed = { schema: { n: z.any() }, of: () => [], atFirst }
    expect(saidOf({ computed })).toEqual([said])
  }
})

it.each([
  number({ label: 'Most', default: 'ten' as never }),
  field(z.string().refine(refusing), { label: 'Most', control: 'text', default: 'ten' }),
  { ...text({ label: 'Most', default: 'ten' }), open: refusing },
])(
  'a setting that does not accept its own default is refused, because no start could use it',
  most => {
    expect(saidOf({ settings: { most } })).toEqual([
      'a.one has a setting most that does not accept its own default. Correct one of the two.',
    ])
  },
)

it('a choice without words is refused where it is made', () => {
  for (const words of [[], undefined]) {
    expect(() => choice(words as never, { label: 'Mood' })).toThrow('choice needs its words first')
  }
})

it('what is made a text before it is sent may have been anything', () => {
  const n = z.string().transform(BigInt).pipe(z.bigint()).transform(String)
  expect(saidOf({ computed: { schema: { n }, of: () => [] } })).toEqual([])
})

it('a setting without a default is refused, with what can be done', () => {
  expect(saidOf({ settings: { greeting: text({ label: 'Greeting' }) } })).toEqual([
    'a.one has a setting greeting without a default. Add one, or make it optional(…) or a secret.',
  ])
})

it.each([
  ['X y.', true],
  ['Show v1.2 of X y.', true],
  ['X.', false],
  [`${'x'.repeat(161)}.`, true],
  [`${'x'.repeat(162)}.`, false],
  ['Two\nlines.', false],
  ['No full stop', false],
])(
  'about may be one line with a full stop at its end, as the refusal says: %j',
  (about, isRight) => {
    const said =
      'a.one has no valid description. Set about to one line of 3 to 162 characters that ends with a full stop.'
    expect(saidOf({ about })).toEqual(isRight ? [] : [said])
  },
)

it('an instance of a class is no plugin, because its methods would be lost', () => {
  class Acme {
    readonly feature = 'a.one'
    readonly about = 'A plugin for a test.'
    guard = undefined
  }
  expect(() => definePlugin(new Acme() as unknown as Plugin)).toThrow('without a class')
})
