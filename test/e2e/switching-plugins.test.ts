import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { createLink, type Server, serve } from './server.ts'

const guard = 'link.passwordProtection'
const original = 'https://example.com/secret'

/** A folder with a link behind a password; its server has stopped. */
const made = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
let path: Promise<string> | undefined
afterAll(() => rmSync(made, { recursive: true }))

async function makeGuardedLink(): Promise<string> {
  const server = await serve({ dataDir: made })
  const { shortCode } = await createLink(server, { original_url: original, password: 'sesame' })
  expect((await server.get(`/${shortCode}`)).status).toBe(403)
  await server.kill('SIGTERM')
  return `/${shortCode}`
}

/** A copy of that folder for each test; the folder is made once. */
async function guardedLink() {
  path ??= makeGuardedLink()
  const found = await path
  const dataDir = temporaryFolder()
  cpSync(made, dataDir, { recursive: true })
  return {
    dataDir,
    path: found,
    restart: (env = {}) => serve({ dataDir, env }),
    plugins: (...args: string[]) =>
      linnet(['plugins', ...args], { env: { LINNET_DATA_DIR: dataDir } }),
  }
}

async function follow(server: Server, path: string) {
  const { status, headers, text } = await server.get(path)
  expect(text).not.toContain(original)
  return { status, location: headers.get('location') }
}

const shut = { status: 503, location: null }
const open = { status: 302, location: original }
const asking = { status: 403, location: null }

itAtNight('keeps a guarded link shut while every plugin is off, until it is released', async () => {
  const { path, restart, plugins } = await guardedLink()
  const bare = await restart({ PLUGINS: 'none' })
  expect(bare.log[0]).toMatchObject({ level: 'warn', feature: guard, links: 1 })
  expect(bare.log[0]?.message).toContain(`linnet plugins release ${guard}`)
  expect(await follow(bare, path)).toEqual(shut)

  expect((await plugins('release', guard)).stdout).toBe(`1 link released from ${guard}.\n`)
  expect(await follow(bare, path)).toEqual(open)
  await bare.kill('SIGTERM')

  expect(await follow(await restart(), path)).toEqual(asking)
})

itAtNight('switches a plugin off and on while no server runs, and keeps its data', async () => {
  const { path, restart, plugins } = await guardedLink()
  expect(await plugins('off', guard)).toMatchObject({ code: 0 })
  expect((await plugins()).stdout).toMatch(/^off {2}link\.passwordProtection /m)
  const without = await restart()
  expect(await follow(without, path)).toEqual(shut)
  const refused = await without.api('POST', '/links', { original_url: original, password: 'new' })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } })
  await without.kill('SIGTERM')

  expect(await plugins('on', guard)).toMatchObject({ code: 0 })
  expect(await follow(await restart(), path)).toEqual(asking)
})

itAtNight('switches nothing so that the next start would lack what a plugin needs', async () => {
  const { restart, plugins } = await guardedLink()
  const refused = await plugins('off', 'analytics.visitsTracking')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^analytics\.\w+, analytics\.\w+, .* and analytics\.\w+ need analytics\.visitsTracking\. Switch those off first\.\n$/,
  )
  const needing = refused.stderr.match(/\w+\.\w+(?=,| and | need )/g) ?? []
  const [one = '', ...others] = needing
  const server = await restart()
  for (const feature of others) {
    const off = await server.api('PATCH', `/admin/plugins/${feature}`, { enabled: false })
    expect(off.status).toBe(200)
  }
  await server.kill('SIGTERM')
  expect(await plugins('off', 'analytics.visitsTracking')).toMatchObject({ code: 1 })
  expect(await plugins('off', one)).toMatchObject({ code: 0 })
  expect(await plugins('off', 'analytics.visitsTracking')).toMatchObject({ code: 0 })
  expect(await plugins('on', 'analytics.visitsOverTime')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'analytics.visitsOverTime needs analytics.visitsTracking. Switch that on first.\n',
  })
  await restart()
})

itAtNight('switches no plugin so that another one would stop', async () => {
  const { dataDir, plugins } = await guardedLink()
  mkdirSync(join(dataDir, 'plugins'))
  const put = (name: string, fields: readonly string[]) =>
    writeFileSync(
      join(dataDir, 'plugins', `${name}.mjs`),
      `import { definePlugin, text } from 'linnet/plugin'
export default definePlugin({ feature: 'acme.${name}', about: 'Has a word.', fields: { ${fields
        .map(it => `${it}: text({ label: 'Word' })`)
        .join(', ')} } })`,
    )
  put('aa', ['word'])
  expect(await plugins('off', 'acme.aa')).toMatchObject({ code: 0 })
  put('bb', ['word', 'page'])
  const on = await plugins('on', 'acme.aa')
  expect(on).toMatchObject({ code: 1, stdout: '' })
  expect(on.stderr).toMatch(
    /^acme\.aa is unchanged: acme\.bb would stop: acme\.aa and acme\.bb both have .+ Rename one\.\n$/,
  )
  expect(await plugins('off', 'acme.bb')).toMatchObject({ code: 0 })
  expect(await plugins('on', 'acme.aa')).toMatchObject({ code: 0 })
  expect(await plugins('on', 'acme.bb')).toMatchObject({ code: 0 })
  put('cc', ['page'])
  const off = await plugins('off', 'acme.aa')
  expect(off).toMatchObject({ code: 1, stdout: '' })
  expect(off.stderr).toContain('acme.aa is unchanged: acme.cc would stop: acme.bb and acme.cc')
})

itAtNight.each(['purge --yes', 'purge', 'release'])('does not %s a typo', async command => {
  const { restart, path, plugins } = await guardedLink()
  const [verb = '', ...options] = command.split(' ')
  const refused = await plugins(verb, 'link.passwordProtecton', ...options)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(`There is no plugin link.passwordProtecton: did you mean ${guard}?\n`)
  expect(await follow(await restart(), path)).toEqual(asking)
})

itAtNight('releases and purges what a plugin left that is not installed any more', async () => {
  const { dataDir, restart, path, plugins } = await guardedLink()
  rename(dataDir, guard, 'acme.turnstile')
  const server = await restart()
  expect(await follow(server, path)).toEqual(shut)
  expect((await plugins('release', 'acme.turnstyle')).stderr).toContain('mean acme.turnstile?')
  expect((await plugins('release', 'acme.turnstile')).stdout).toMatch(/^1 link released/)
  expect(await follow(server, path)).toEqual(open)
  await server.kill('SIGTERM')

  expect((await plugins('purge', 'acme.turnstile', '--yes')).stdout).toContain('on 1 link.')
  expect(await plugins('purge', 'acme.turnstile')).toMatchObject({ code: 1, stdout: '' })
})

/** Renames the plugin in the database, as if another plugin guarded the links. */
function rename(dataDir: string, feature: string, to: string): void {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  for (const column of ['fields', 'guarded_by']) {
    database.prepare(`update links set ${column} = replace(${column}, ?, ?)`).run(feature, to)
  }
  database.close()
}

itAtNight('purges what a plugin left, but not under a running server', async () => {
  const { path, restart, plugins } = await guardedLink()
  const wouldDrop = await plugins('purge', guard)
  expect(wouldDrop.stdout).toContain('would delete 0 tables and its fields on 1 link.')

  const server = await restart()
  const refused = await plugins('purge', guard, '--yes')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Another Linnet is running on this data folder')
  expect(await follow(server, path)).toEqual(asking)
  await server.kill('SIGTERM')

  expect(await plugins('purge', guard, '--yes')).toMatchObject({ code: 0 })
  expect(await follow(await restart(), path)).toEqual(open)
})
