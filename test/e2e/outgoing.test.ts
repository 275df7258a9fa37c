import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './program.ts'
import { admin, createLink, serve } from './server.ts'
import { asBrowser, cookieIn } from './signing-in.ts'

/** Sends what no plugin should: this shows that the notes have it. */
const stray = `
import { get } from 'node:http'
import { definePlugin, endpoint, z } from 'linnet/plugin'
export default definePlugin({
  feature: 'acme.stray',
  about: 'Ask other servers past Linnet.',
  endpoints: {
    'POST /stray': endpoint({
      summary: 'Ask',
      scope: 'links:write',
      body: z.strictObject({ url: z.string() }),
      status: 204,
      async handle({ body: { url } }) {
        await fetch(url)
        await new Promise(resolve => get(url, answer => answer.resume().once('end', resolve)))
      },
    }),
  },
})
`

it('whatever it is asked for, the program sends no request past the client that checks addresses', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/stray.ts'), stray)
  const notes = join(dataDir, 'outgoing')
  writeFileSync(notes, '')
  const sent = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean)
  const preload = new URL('note-outgoing.mjs', import.meta.url).href
  const server = await serve({
    dataDir,
    env: {
      ...{ OUTGOING_NOTES: notes, NODE_OPTIONS: `--import ${preload}` },
      LINNET_FETCH_ALLOW: '127.0.0.1/32',
    },
  })
  const elsewhere = await listen()

  // A page title, which a link to this machine does not get.
  const link = await createLink(server, { original_url: elsewhere })
  await server.get(`/${link.shortCode}`)
  const session = cookieIn(await asBrowser()(server, 'POST', '/session', admin))
  const passkey = await asBrowser(session)(server, 'POST', '/second-factor/passkeys', {})
  expect(passkey.status).toBe(200)

  const webhook = await server.api('POST', '/webhooks', {
    ...{ url: `${elsewhere}hook`, events: ['campaign.created'] },
  })
  const tested = await server.api('POST', `/webhooks/${webhook.body.data.id}/test`)
  expect(tested.body.data).toMatchObject({ state: 'delivered' })

  const settings = { url: elsewhere, key: 'key' }
  const begun = await server.api('POST', '/imports', { source: 'chhoto', settings })
  expect(begun.status).toBe(202)
  const state = async () =>
    (await server.api('GET', `/imports/${begun.body.data.id}`)).body.data.state
  await expect.poll(state).toBe('done')

  const own = sent()
  expect(own.filter(it => !it.startsWith('checked '))).toEqual([])
  expect(own.map(it => new URL(it.split(' ')[1] ?? '').pathname)).toEqual(
    expect.arrayContaining(['/hook', '/api/all']),
  )
  expect((await server.api('POST', '/stray', { url: elsewhere })).status).toBe(204)
  expect(sent().slice(own.length)).toEqual([`fetch ${elsewhere}`, `get ${elsewhere}`])
  await server.kill('SIGTERM')
})

/** A server to which others are sent: it has no links, and takes whatever comes. */
async function listen(): Promise<string> {
  const server = createServer((req, res) => {
    req.resume()
    res.end('[]')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
