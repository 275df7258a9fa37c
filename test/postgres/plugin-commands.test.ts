import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { linnet, root, temporaryFolder } from '../e2e/program.ts'
import { admin, createLink, serve, serverEnv } from '../e2e/server.ts'
import { addSender, senderEnv, sendTo, startReceiver } from '../e2e/webhook-receiver.ts'
import { url } from './own-server.ts'

const mover = `
  import { command, definePlugin, text } from 'linnet/plugin'
  export default definePlugin({
    feature: 'acme.mover',
    about: 'Lead links elsewhere.',
    unstable: {
      commands: {
        'move-link': command({
          summary: 'Lead a link elsewhere.',
          arguments: { id: text({ label: 'Its id' }), to: text({ label: 'Where to' }) },
          async run({ arguments: { id, to } }, { links }) {
            const { accountId } = await links.find(id)
            await links.update(accountId, id, { originalUrl: to })
          },
        }),
      },
    },
  })`

it('a command of a plugin changes links that a server follows, and its events reach plugins of the server', async () => {
  const receiver = await startReceiver()
  const dataDir = temporaryFolder()
  addSender(dataDir)
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  writeFileSync(join(dataDir, 'plugins/mover.js'), mover)
  cpSync(join(root, 'examples/importer.ts'), join(dataDir, 'plugins/importer.ts'))
  const env = { ...serverEnv(dataDir), ...senderEnv, DATABASE_URL: url }
  const server = await serve({ dataDir, env })
  await sendTo(server, receiver)
  const { id, shortCode } = await createLink(server)
  const location = async () => (await server.get(`/${shortCode}`)).headers.get('location')
  for (let time = 0; time < 3; time += 1) expect(await location()).toBe('https://example.com/')
  const moved = await linnet(['run', 'move-link', id, 'https://example.org/'], { env })
  expect(moved).toEqual({ code: 0, stdout: '', stderr: '' })
  await expect.poll(location).toBe('https://example.org/')
  const types = () => receiver.taken.map(({ type }) => type)
  await expect.poll(types, { timeout: 20_000 }).toContain('link.updated')

  const file = join(temporaryFolder(), 'links.jsonl')
  writeFileSync(file, '{"url":"https://example.com/a","code":"imported"}')
  const words = ['run', 'import-lines', file, '--account', admin.email]
  const imported = await linnet(words, { env })
  expect(imported).toEqual({ code: 0, stdout: '1 of 1 links were imported.\n', stderr: '' })
  expect((await server.get('/imported')).status).toBe(302)
  await server.kill('SIGTERM')
})
