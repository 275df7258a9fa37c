import { expect, it } from 'vitest'
import { linnet } from './program.ts'
import { createLink, type Server, serve } from './server.ts'

const guard = 'link.passwordProtection'
const original = 'https://example.com/secret'

/** A server that stopped after it made a link with a password. */
async function guardedLink() {
  const server = await serve()
  const { shortCode } = await createLink(server, { original_url: original, password: 'sesame' })
  expect((await server.get(`/${shortCode}`)).status).toBe(403)
  await server.kill('SIGTERM')
  const { dataDir } = server
  return {
    path: `/${shortCode}`,
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

it('keeps a guarded link shut while every plugin is off, until it is released', async () => {
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

it('switches a plugin off and on from the next start, and keeps its data', async () => {
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

it('purges what a plugin left, but not under a running server', async () => {
  const { path, restart, plugins } = await guardedLink()
  const wouldDrop = await plugins('purge', guard)
  expect(wouldDrop.stdout).toContain('would drop 0 tables and its fields on 1 link.')

  const server = await restart()
  const refused = await plugins('purge', guard, '--yes')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Another Linnet is running on this data folder')
  expect(await follow(server, path)).toEqual(asking)
  await server.kill('SIGTERM')

  expect(await plugins('purge', guard, '--yes')).toMatchObject({ code: 0 })
  expect(await follow(await restart(), path)).toEqual(open)
})
