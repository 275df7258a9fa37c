import { afterEach, expect, it } from 'vitest'
import {
  type Context,
  definePlugin,
  endpoint,
  field,
  type LinkRows,
  page,
  text,
  z,
} from '../../core/plugin.ts'
import { boot, type Harness } from '../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

/** The part of the plugin that fails now. */
let broken = ''

const nothing = JSON.parse('{}')

/** Node's words about a mistake in code: "Cannot read properties of undefined (reading 'leak')". */
function mayFail(part: string): undefined {
  if (part === broken) return nothing.x.leak
  return undefined
}

const careless = definePlugin({
  feature: 'acme.careless',
  about: 'Fail in each part in a test.',
  scopes: ['carelessness:write'],
  fields: {
    mood: field(
      z.string().transform(text => {
        mayFail('field')
        return text
      }),
      { label: 'Mood', control: 'text' },
    ),
  },
  settings: { word: text({ label: 'Word', default: 'none' }) },
  setup({ settings }) {
    if (settings.word === 'break') nothing.x.leak()
  },
  prepare: () => mayFail('prepare'),
  validate: () => mayFail('validate'),
  save: () => mayFail('save'),
  guard: () => () => mayFail('guard'),
  target: () => (_, url) => mayFail('target') ?? url,
  computed: {
    schema: { sky: z.string().nullable() },
    of: links => links.map(() => ({ sky: mayFail('computed') ?? 'blue' })),
  },
  filter: {
    query: { weather: z.string().optional() },
    where: ({ weather }) => (weather === undefined ? undefined : mayFail('filter')),
  },
  limits: { maxThings: { label: 'Things', used: 'thingsCount' } },
  usage: { thingsCount: () => mayFail('usage') ?? 0 },
  groups: {
    '/things': {
      summary: 'Numbers of a thing',
      links: (_: string, __: unknown, { db }: Context): LinkRows =>
        mayFail('group') ?? db.selectFrom('acme_careless_links').select('link_id'),
    },
  },
  endpoints: {
    'POST /things': endpoint({
      summary: 'Make a thing',
      scope: 'carelessness:write',
      body: z.strictObject({
        url: z.string().refine(url => {
          mayFail('body')
          return url
        }),
      }),
      answer: z.strictObject({ data: z.string() }),
      limit: 'maxThings',
      addresses: ({ url }) => mayFail('addresses') ?? [{ field: 'url', url }],
      handle: ({ body: { url } }) => ({ data: mayFail('endpoint') ?? url }),
    }),
  },
  views: {
    '~': () => {
      mayFail('view')
      return page({ heading: 'A link', link: { label: 'Go', url: 'https://example.com/' } })
    },
  },
  mounts: {
    careless: {
      token: () => mayFail('token'),
      handle: () => mayFail('mount'),
    },
  },
  jobs: { tidy: { every: '17 3 * * *', run: () => mayFail('job') } },
})

it.each([
  'field',
  'prepare',
  'validate',
  'save',
  'guard',
  'target',
  'computed',
  'filter',
  'usage',
  'group',
  'body',
  'addresses',
  'endpoint',
  'view',
  'token',
  'mount',
  'job',
])('nobody reads what Node says of a mistake in the code of a plugin: %s', async part => {
  broken = ''
  linnet = await boot(careless)
  const link = await linnet.create({ mood: 'calm' })
  broken = part
  await linnet.run('acme.careless.tidy').catch(() => undefined)
  const answers = [
    await linnet.api('POST', '/links', { originalUrl: 'https://example.com/', mood: 'glad' }),
    await linnet.api('PATCH', `/links/${link.id}`, { mood: 'glad' }),
    await linnet.api('GET', '/links?weather=fine'),
    await linnet.api('GET', '/profile'),
    await linnet.api('GET', '/things/one/analytics'),
    await linnet.api('POST', '/things', { url: 'https://example.com/' }),
    await linnet.api('GET', '/admin/jobs'),
    await linnet.visit(link),
    await linnet.visit(`${link.shortCode}~`),
    await linnet.visit('careless'),
    await linnet.visit('health/ready'),
    await linnet.visit('nowhere'),
  ]
  const texts = answers.map(it => JSON.stringify('body' in it ? (it.body ?? '') : it.text))
  expect(texts.filter(text => /leak|Cannot read|TypeError: | at .*\(/.test(text))).toEqual([])
  expect(linnet.log.length).toBeGreaterThan(0)
})

it('an admin does not read what Node says of a setting that a plugin does not get along with', async () => {
  broken = ''
  linnet = await boot(careless)
  const { status, body } = await linnet.api('PATCH', '/admin/plugins/acme.careless', {
    settings: { word: 'break' },
  })
  expect([status, body.code]).toEqual([409, 'set_up_failed'])
  expect(body.detail).toMatch(
    /^acme\.careless is unchanged: its set-up failed: TypeError at own-words\.test\.ts:\d+\.$/,
  )
})

it('health does not say what Node says of a plugin that does not start', async () => {
  const broken = definePlugin({
    feature: 'acme.broken',
    about: 'Do not start in a test.',
    setup: () => nothing.x.leak,
  })
  linnet = await boot(broken, { withoutLeftOut: true })
  const { text } = await linnet.visit('health/ready')
  expect(text).toContain('acme.broken does not run: its set-up failed: TypeError at')
  expect(text).not.toContain('leak')
})
