import { execFile } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectVisits } from '../e2e/counted.ts'
import { flood } from '../e2e/flood.ts'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { startRegistry } from '../e2e/registry.ts'
import { createLink, serve, serverEnv } from '../e2e/server.ts'
import { unpackedProgram } from '../e2e/unpacked-program.ts'
import { hasChromium } from './chromium.ts'
import { openDashboard } from './dashboard/dashboard.ts'

const run = promisify(execFile)
const feature = 'custom.earlyBirds'

/** The plugin's source; `more` is what another version adds. */
const sourceWith = (more: string, birds: string) => `
import { definePlugin, endpoint, number, refuse, toggle, z } from 'linnet/plugin'

export default definePlugin({
  feature: '${feature}',
  about: 'Turn the visitors of a link away.',
  needs: ['analytics.visitsTracking'],
  settings: { birds: number({ label: 'How many birds', default: 1 }) },
  fields: { closedByEarlyBirds: toggle({ label: 'Closed by birds' }) },
  dimensions: { visitsByBird: { label: 'Birds', of: ({ userAgent }) => userAgent && 'linnet' } },
  ${more}
  guard({ closedByEarlyBirds }) {
    if (!closedByEarlyBirds) return
    return () => refuse('closed', 'This link is closed.', 403)
  },
  endpoints: {
    'GET /birds': endpoint({
      summary: 'Count the birds',
      scope: 'links:read',
      answer: z.strictObject({ data: z.number() }),
      handle: ${birds},
    }),
  },
})
`
const first = sourceWith('', '(_, { settings }) => ({ data: Number(settings.birds) })')
const second = sourceWith(
  `migrations: {
    '001-nests': async ({ schema }) => {
      await schema.createTable('custom_early_birds_nests').addColumn('id', 'integer').execute()
    },
  },`,
  `async (_, { db }) => {
    const nests = await db.selectFrom('custom_early_birds_nests').selectAll().execute()
    return { data: 1_000 + nests.length }
  }`,
)

describe.skipIf(!hasChromium)('a plugin in an unchanged Linnet', () => {
  itAtNight(
    'is begun, tested, packed, added, seen everywhere, switched under load, updated and removed',
    async () => {
      const program = await unpackedProgram()
      const server = await serve({ program })
      const { page, open } = await openDashboard({ server })
      const { folder, npm } = await begin(program)
      const plugins = async (...args: string[]) => {
        const env = { ...serverEnv(server.dataDir), npm_config_registry: 'http://127.0.0.1:9' }
        const { code, stderr } = await linnet(['plugins', ...args], { env, program })
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      }
      const release = async (version: string, source: string) => {
        writeFileSync(join(folder, 'src/index.ts'), source)
        edit(join(folder, 'package.json'), it =>
          it.replace(/"version": ".*?"/, `"version": "${version}"`),
        )
        await npm('pack')
        await plugins('add', join(folder, `linnet-plugin-early-birds-${version}.tgz`))
      }
      const birds = async () => (await server.api('GET', '/birds')).body.data

      await release('0.2.0', first)
      await expect.poll(birds).toBe(1)
      const plain = await createLink(server)
      const closed = await createLink(server, { closed_by_early_birds: true })
      expect((await server.get(`/${closed.shortCode}`)).status).toBe(403)
      const changed = await server.api('PATCH', `/admin/plugins/${feature}`, {
        settings: { birds: 7 },
      })
      expect([changed.status, await birds()]).toEqual([200, 7])
      const described = (await server.api('GET', '/openapi.json')).text
      for (const name of ['/api/v1/birds', 'closedByEarlyBirds', 'visitsByBird']) {
        expect(described).toContain(name)
      }

      await open('/links/new')
      await page.getByText('Closed by birds').waitFor()
      await open('/admin/plugins/custom/earlyBirds')
      expect(await page.getByLabel('How many birds').inputValue()).toBe('7')

      const { wrong, followed } = await flood(server, { plain, closed }, async () => {
        for (let round = 0; round < 10; round += 1) {
          const [switched, shut] =
            round % 4 < 2 ? [feature, 503] : ['analytics.visitsByBrowser', 403]
          const enabled = round % 2 === 1
          const { body } = await server.api('PATCH', `/admin/plugins/${switched}`, { enabled })
          expect(body.data).toMatchObject({ enabled })
          expect((await server.get(`/${closed.shortCode}`)).status).toBe(enabled ? 403 : shut)
        }
      })
      expect(wrong).toEqual([])
      expect(followed).toBeGreaterThan(20)
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
      await expectVisits(server, plain.id, followed)
      const { body } = await server.api('GET', `/links/${plain.id}/analytics?interval=7d`)
      expect(body.data.totals).toMatchObject({ visits: followed, uniqueVisitors: 1 })
      expect(body.data.visitsByBird).toContainEqual(expect.objectContaining({ value: 'linnet' }))
      await open('/analytics')
      await page.getByRole('heading', { name: 'Birds' }).waitFor()

      await release('0.3.0', second)
      await expect.poll(birds).toBe(1_000)
      await plugins('remove', 'linnet-plugin-early-birds')
      await expect.poll(async () => (await server.api('GET', '/birds')).status).toBe(404)
      expect((await server.get(`/${closed.shortCode}`)).status).toBe(503)
      expect((await server.get(`/${plain.shortCode}`)).status).toBe(302)
    },
  )
})

/** Creates a plugin by `linnet plugins new`; its tests pass at once. */
async function begin(program: string) {
  const cwd = realpathSync(temporaryFolder())
  expect(await linnet(['plugins', 'new', 'early-birds'], { program, cwd })).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'Created the plugin early-birds. To see that it works:\n\n' +
      '  cd early-birds\n  npm install\n  npm test\n',
  })
  const registry = await startRegistry()
  for (const name of ['typescript', '@types/node', 'undici-types']) {
    registry.publish(join(root, 'node_modules', name))
  }
  const folder = join(cwd, 'early-birds')
  const env = { npm_config_registry: registry.url, npm_config_cache: join(cwd, 'cache') }
  const npm = (...args: string[]) =>
    run('npm', args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })
  await npm('install')
  const { stdout } = await npm('test')
  expect(stdout).toMatch(/^. pass 11$/m)
  expect(stdout).toMatch(/^. fail 0$/m)
  return { folder, npm }
}

function edit(file: string, change: (content: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
