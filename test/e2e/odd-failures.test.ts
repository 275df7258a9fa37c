import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { browser, createLink, type Server, serve, serverEnv } from './server.ts'

/** Values that cannot be read as an error can, and what makes all stacks lists. */
const odd = `
  const own = new AggregateError([], 'its own cause')
  own.errors.push(own)
  own.cause = own
  const broken = Object.defineProperty(new Error('x'), 'stack', { get() { throw null } })
  const odd = [null, own, broken, Object.create(null), new Proxy(new Error('x'), { get() { throw null } })]
  Error.prepareStackTrace = (_, sites) => sites
  let turn = 0
  const next = () => odd[turn++ % odd.length]
  const fail = () => { throw next() }
`

itAtNight(
  'goes on when plugins throw null, errors that are their own cause and what cannot be read, and names the hooks',
  async () => {
    const dataDir = withPlugins({
      'hooks.js': `import { text } from 'linnet/plugin'
      ${odd}
      export default {
        api: 1,
        feature: 'acme.hooks',
        about: 'Throws odd things in its hooks.',
        computed: { schema: {}, of: fail },
        fields: { oddity: text({ label: 'Oddity' }) },
        guard: ({ oddity }) => { if (oddity) fail() },
        validate: ({ originalUrl }) => { if (originalUrl.includes('checked')) fail() },
        on: { created: fail },
        usage: { dues: fail },
        limits: { dues: { label: 'Dues', used: 'dues' } },
        endpoints: { 'GET /dues': { summary: 'Show the dues', scope: 'links:read', handle: fail } },
        dimensions: {
          visitsByOdd: { label: 'Odd', of: fail },
          visitsByWord: { label: 'Word', of: () => 'odd', labelOf: fail },
          visitsByExit: { label: 'Exit', of: () => process.exit(3) },
        },
      }`,
      'starts.js': `export default {
        api: 1,
        feature: 'acme.starts',
        about: 'Throws null when it is set up.',
        async setup() { throw null },
      }`,
    })
    const server = await serve({ dataDir })
    const { shortCode } = await createLink(server)
    expect((await server.get(`/${shortCode}`, { 'user-agent': browser })).status).toBe(302)
    const guarded = await createLink(server, { oddity: 'x' })
    for (let time = 0; time < 5; time += 1) {
      expect((await server.get(`/${guarded.shortCode}`)).status).toBe(503)
      const original_url = 'https://example.com/checked'
      expect((await server.api('POST', '/links', { original_url })).status).toBe(503)
    }
    expect((await server.api('GET', '/dues')).status).toBe(500)
    expect((await server.api('GET', '/links')).status).toBe(200)
    expect((await server.api('GET', '/profile')).status).toBe(200)
    for (const part of [
      ...['validate', 'compile', 'computed', 'on\\.created', 'GET /dues', 'usage\\.dues'],
      ...['dimensions\\.visitsByOdd\\.of', 'dimensions\\.visitsByExit\\.of'],
    ]) {
      const line = await server.logged(new RegExp(`^acme\\.hooks ${part} failed: .`))
      expect(line).toMatchObject({ level: 'error', feature: 'acme.hooks' })
    }
    expect((await server.api('GET', '/analytics')).status).toBe(200)
    await server.logged(/^acme\.hooks dimensions\.visitsByWord\.labelOf failed: ./)
    await expectSane(server)
    const { checks } = (await server.get('/health/ready')).body
    expect(JSON.stringify(checks.plugins)).toContain('acme.starts')
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    const again = await serve({ dataDir })
    await again.logged(/acme\.starts.*set-up failed: it threw null, which is no error/)
    expect((await again.get(`/${shortCode}`)).status).toBe(302)
  },
)

itAtNight(
  'goes on when what plugins left running throws null and what cannot be read',
  async () => {
    const server = await serve({
      dataDir: withPlugins({
        'strays.js': `${odd}
        const stray = () => {
          for (const it of odd) {
            setTimeout(() => { throw it })
            queueMicrotask(() => { throw it })
            Promise.reject(it)
          }
        }
        export default {
          api: 1,
          feature: 'acme.strays',
          about: 'Leaves odd things running.',
          on: { created: stray },
          endpoints: {
            'GET /strays': {
              summary: 'Leave something',
              scope: 'links:read',
              handle() { stray() },
            },
          },
          mounts: { strays: { handle() { stray() } } },
          dimensions: { visitsByStray: { label: 'Stray', of: () => (stray(), 'x') } },
        }`,
      }),
    })
    const { shortCode } = await createLink(server)
    await server.api('GET', '/strays')
    await server.get('/strays')
    await server.get(`/${shortCode}`, { 'user-agent': browser })
    const strays = () => server.log.filter(({ message }) => /outside of its hooks/.test(message))
    await expect.poll(() => strays().length).toBe(4 * 3 * 5)
    await expectSane(server)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  },
)

itAtNight(
  'leaves out plugins whose parts would fail everybody, says so in log, health and list, and starts',
  async () => {
    const plugin = (feature: string, parts: string) =>
      `import { number, z } from 'linnet/plugin'
    export default { api: 1, feature: '${feature}', about: 'Has a wrong part.', ${parts} }`
    const wrong = {
      'acme.reads': `reads: ['moon']`,
      'acme.setting': `settings: { limit: z.string().default('x') }`,
      'acme.default': `settings: { most: number({ label: 'Most', default: 'ten' }) }`,
      'acme.field': 'fields: { due: z.string() }',
      'acme.filter': 'filter: () => {}',
      'acme.computed': 'computed: links => links',
      'acme.bigint':
        'computed: { schema: { n: z.bigint() }, of: links => links.map(() => ({ n: 5n })) }',
      'acme.object': 'computed: { schema: z.object({}), of: links => links }',
      'acme.answer': `endpoints: { 'GET /ats': { summary: 'x', scope: 'links:read', answer: { at: z.string() }, handle() {} } }`,
      'acme.chart': `dimensions: { visitsByPie: { label: 'Pie', chart: 'pie', of: () => 'x' } }`,
    }
    const dataDir = withPlugins(
      Object.fromEntries(
        Object.entries(wrong).map(([feature, parts]) => [
          `${feature.slice(5)}.js`,
          plugin(feature, parts),
        ]),
      ),
    )
    const server = await serve({ dataDir })
    const { body } = await server.get('/health/ready')
    const listed = (await linnet(['plugins', 'list'], { env: serverEnv(dataDir) })).stdout
    const health = body.checks.plugins.note
    const log = server.log.map(({ message }) => message).join('\n')
    for (const feature of Object.keys(wrong)) {
      const file = `${feature.slice(5)}.js`
      for (const said of [log, health, listed]) expect(said).toContain(file)
    }
    await createLink(server)
    await expectSane(server)
  },
)

itAtNight(
  'names the plugin whose members are no JSON, and shows the links without them',
  async () => {
    const server = await serve({
      dataDir: withPlugins({
        'any.js': `import { z } from 'linnet/plugin'
        export default {
          api: 1,
          feature: 'acme.any',
          about: 'Adds what is no JSON.',
          computed: {
            schema: { big: z.any(), odd: z.any() },
            of: links => links.map(() => ({ big: 5n, odd: { toJSON() { throw null } } })),
          },
        }`,
      }),
    })
    await createLink(server)
    expect(await server.logged(/^acme\.any computed failed: .*is not JSON/)).toMatchObject({
      feature: 'acme.any',
    })
    await expectSane(server)
  },
)

/** Everybody else is answered. */
async function expectSane(server: Server): Promise<void> {
  const paths = ['/links', '/profile', '/analytics', '/openapi.json']
  const all = await Promise.all(paths.map(path => server.api('GET', path)))
  expect(all.map(({ status }) => status)).toEqual(paths.map(() => 200))
}

function withPlugins(files: Readonly<Record<string, string>>): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(join(dataDir, 'plugins', name), code)
  }
  return dataDir
}
