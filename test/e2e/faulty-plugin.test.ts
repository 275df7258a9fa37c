import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { expectVisits } from './counted.ts'
import { folderWithFixtures } from './plugins-folder.ts'
import { temporaryFolder } from './program.ts'
import { createLink, serve } from './server.ts'

const feature = 'acme.faulty'

it('a server goes on when a plugin fails, and names it', async () => {
  const dataDir = folderWithFixtures('faulty-plugin.ts', 'hostile-plugin.ts')
  const server = await serve({ dataDir })
  const link = (fault: string) =>
    createLink(server, { original_url: `https://example.com/${fault}` })
  const follow = async (fault: string) =>
    (await server.get(`/${(await link(fault)).shortCode}`)).status

  expect(await follow('throws')).toBe(503)
  expect(await server.logged(/in a guard/)).toMatchObject({ level: 'error', feature })
  expect(await follow('hangs')).toBe(503)
  expect(await server.logged(/no answer within 2000 ms/)).toMatchObject({ level: 'error', feature })

  const strays = () => server.log.filter(({ message }) => message.includes('outside of its hooks'))
  for (const [index, fault] of [
    'throws-later',
    'throws-no-error-later',
    'rejects-later',
  ].entries()) {
    expect(await follow(fault)).toBe(302)
    await expect.poll(strays).toHaveLength(index + 1)
  }
  expect(strays()).toMatchObject([
    { level: 'error', feature, error: { message: 'in a timer' } },
    // A thrown value without a stack does not name the plugin.
    { level: 'error', message: 'Some plugin failed outside of its hooks' },
    { level: 'error', feature, error: { message: 'in a promise' } },
  ])

  await expect(link('never-saved')).rejects.toThrow('"status":503')
  expect(await server.logged(/in validate/)).toMatchObject({ feature })
  await link('after-saving')
  expect(await server.logged(/in created/)).toMatchObject({ feature })

  expect(await follow('nothing')).toBe(302)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

itAtNight(
  'goes on when an installed plugin does not wait for what Linnet does for it, and it fails',
  async () => {
    const server = await serve({
      dataDir: withPlugin(`
      feature: 'acme.floats',
      about: 'Forgets to await.',
      migrations: {},
      on: {
        created(link, { db, store }) {
          void db.selectFrom('acme_floats_missing').selectAll().execute()
          void store.set('', 'no key')
        },
      },`),
    })
    await createLink(server)
    const stray = { level: 'error', message: 'Some plugin failed outside of its hooks' }
    expect(await server.logged(/^Some plugin failed/)).toMatchObject(stray)
    const { id, shortCode } = await createLink(server)
    expect((await server.get(`/${shortCode}`)).status).toBe(302)
    await expectVisits(server, id, 1)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  },
)

itAtNight('names the only installed plugin for what is thrown without a stack', async () => {
  const server = await serve({
    dataDir: withPlugin(`
      feature: 'acme.nulls',
      about: 'Throws null in a timer.',
      on: {
        created() {
          setTimeout(() => {
            throw null
          })
        },
      },`),
  })
  await createLink(server)
  const stray = { level: 'error', feature: 'acme.nulls' }
  expect(await server.logged(/^acme\.nulls failed outside of its hooks/)).toMatchObject(stray)
  expect((await server.get(`/${(await createLink(server)).shortCode}`)).status).toBe(302)
})

itAtNight(
  'hints at a restart while a timer of a plugin that was switched off goes on failing',
  async () => {
    const server = await serve({
      dataDir: withPlugin(`
      feature: 'acme.ticks',
      about: 'Never clears its timer.',
      setup() {
        setInterval(() => {
          throw new Error('tick')
        }, 50)
      },`),
    })
    await server.logged(/^acme\.ticks failed outside of its hooks/)
    const note = async () => (await server.get('/health/ready')).body.checks.plugins.note
    expect(await note()).toBeNull()
    await server.api('PATCH', '/admin/plugins/acme.ticks', { enabled: false })
    await expect
      .poll(note)
      .toBe(
        'acme.ticks was switched off or replaced, but what it left running goes on: restart Linnet to end it.',
      )
  },
)

itAtNight(
  'names a plugin that fails while it begins and after its file is gone, each for what it is',
  async () => {
    const dataDir = withPlugin(`feature: 'acme.still', about: 'Does nothing.',`)
    const server = await serve({ dataDir })
    const note = async () => (await server.get('/health/ready')).body.checks.plugins.note
    const file = join(dataDir, 'plugins/flood.js')
    writeFileSync(
      file,
      `export default {
        api: 1,
        feature: 'acme.flood',
        about: 'Never clears its timer.',
        async setup() {
          setInterval(() => { throw new Error('tick') }, 5)
          await new Promise(resolve => setTimeout(resolve, 50))
        },
      }`,
    )
    await server.logged(/^acme\.flood failed outside of its hooks/)
    await server.logged(/^Started: acme\.flood/)
    expect(await note()).toBeNull()
    rmSync(file)
    await expect.poll(note).toMatch(/^acme\.flood was switched off or replaced, but/)
    expect(server.log.filter(({ message }) => message.startsWith('Some plugin'))).toEqual([])
  },
)

itAtNight('blames no other plugin for what a removed one throws without a stack', async () => {
  const dataDir = withPlugin(`feature: 'acme.still', about: 'Does nothing.',`)
  const file = join(dataDir, 'plugins/timer.js')
  const parts = `api: 1, feature: 'acme.timer', about: 'Never clears its timer.'`
  writeFileSync(file, `setInterval(() => { throw null }, 100)\nexport default { ${parts} }`)
  const server = await serve({ dataDir })
  await server.logged(/^Some plugin failed outside of its hooks/)
  rmSync(file)
  await server.logged(/^Switched off: acme\.timer/)
  const strays = () => server.log.filter(({ message }) => message.includes('outside of its hooks'))
  const before = strays().length
  await expect.poll(() => strays().length).toBeGreaterThan(before + 3)
  expect(new Set(strays().map(({ message }) => message))).toEqual(
    new Set(['Some plugin failed outside of its hooks']),
  )
})

/** A new data folder with a plugin in a single file. */
function withPlugin(parts: string): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/one.js'), `export default { api: 1, ${parts} }`)
  return dataDir
}
