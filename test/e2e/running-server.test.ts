import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { admin, serve } from './server.ts'

/** A server with settings of its own, and commands that are given the folder alone, or little more. */
async function aServer() {
  const dataDir = temporaryFolder()
  const env = { LINNET_BASE_URL: 'https://go.invalid', LINNET_HOURLY_DAYS: '9' }
  const server = await serve({ dataDir, env })
  const command = (args: readonly string[], env = {}) =>
    linnet(args, { env: { LINNET_DATA_DIR: dataDir, ...env } })
  return { server, command }
}

const oneTimeLink = ['account', 'one-time-link', admin.email]

it('a command that knows only the folder takes the settings of the server that runs on it', async () => {
  const { command } = await aServer()
  const { stdout } = await command(oneTimeLink)
  expect(stdout).toMatch(/^https:\/\/go\.invalid\/dashboard\/one-time-link#/)
})

itAtNight('what it is given itself comes first, and a killed server counts no more', async () => {
  const { server, command } = await aServer()
  const given = await command(oneTimeLink, { LINNET_BASE_URL: 'https://own.invalid' })
  expect(given.stdout).toMatch(/^https:\/\/own\.invalid\//)
  const { stdout: config } = await command(['config'])
  expect(config).toMatch(/^LINNET_HOURLY_DAYS +9 +the running server$/m)
  await server.kill('SIGKILL')
  expect((await command(oneTimeLink)).stdout).toMatch(/^http:\/\/localhost:8080\//)
})

itAtNight('the doctor finds the server that runs on the folder', async () => {
  const { command } = await aServer()
  const { stdout } = await command(['doctor'])
  expect(stdout).toMatch(/^ok +port +A server responds at http:\/\/127\.0\.0\.1:\d+\.$/m)
  expect(stdout).not.toContain('localhost')
  const elsewhere = await command(['doctor'], { LINNET_PORT: '1' })
  expect(elsewhere.code).toBe(1)
  expect(elsewhere.stdout).toMatch(/^problem +port +A server, .+ none responds at http:.+:1\.$/m)
})

itAtNight('commands refuse another database than that of the server', async () => {
  const { command } = await aServer()
  const address = { DATABASE_URL: 'postgres://linnet@127.0.0.1:1/linnet' }
  const token = ['token', 'create', '--account', admin.email]
  for (const args of [['backup'], token, ['plugins', 'off', 'link.linkPreview'], ['doctor']]) {
    const { code, stdout, stderr } = await command(args, address)
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(/has its data there, in linnet\.db, and DATABASE_URL is set/)
  }
})
