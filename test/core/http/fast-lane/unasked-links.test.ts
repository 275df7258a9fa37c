import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import passwordProtection from '../../../../plugins/link/password-protection.ts'
import { boot, type Harness } from '../../../harness.ts'
import { client, get } from './seen.ts'

let house: Harness
let port: number

beforeEach(async () => {
  house = await boot(['analytics.visitsTracking', passwordProtection])
  onTestFinished(() => house.stop())
  port = await house.app.server.listen(0, '127.0.0.1')
  onTestFinished(async () => void (await house.app.server.stop(0)))
})

/** What each of these addresses is answered on one connection, and how many of them by `node:http`, after the first. */
async function ask(urls: readonly string[], headers?: string) {
  const { send, said, end } = await client({ port })
  await send(get('/', headers))
  const before = said().length
  let byNode = 0
  const note = () => {
    byNode += 1
  }
  subscribe('http.server.request.start', note)
  for (const url of urls) {
    const from = said().length
    await send(get(url, headers))
    await expect.poll(() => said().length).toBeGreaterThan(from)
  }
  unsubscribe('http.server.request.start', note)
  return { answers: (await end()).slice(before).replace(/[\da-f-]{36}/g, 'a UUID'), byNode }
}

it('links that were not followed lately go past node:http, each visit counted once', async () => {
  const links = [await house.create(), await house.create()]
  const { answers, byNode } = await ask(links.map(({ shortCode }) => `/${shortCode}?x=1`))
  expect(answers.match(/HTTP\/1.1 302 Found/g)).toHaveLength(2)
  expect(byNode).toBe(0)
  await house.app.recorder.catchUp()
  for (const link of links) expect(await house.counts(link)).toMatchObject({ visits: { '': 1 } })
})

it('so do codes that lead nowhere, and what they are answered is what node:http answers', async () => {
  const fast = await ask(['/nowhere', '/nowhere?x=1'])
  expect(fast.byNode).toBe(0)
  // The lane is not for who says anything about where the request ends.
  const slow = await ask(['/nowhere', '/nowhere?x=1'], 'Host: a\r\nContent-Length: 0\r\n')
  expect(slow.byNode).toBe(2)
  expect(fast.answers).toContain('HTTP/1.1 404 Not Found')
  expect(fast.answers).toBe(slow.answers)
})

it('who may want JSON is answered by node:http', async () => {
  const { answers, byNode } = await ask(['/nowhere'], 'Host: a\r\nACCEPT: application/json\r\n')
  expect(byNode).toBe(1)
  expect(answers).toContain('Content-Type: application/problem+json')
})

it('links that ask first are answered by node:http, and not counted', async () => {
  const link = await house.create({ password: 'open sesame' })
  const { answers, byNode } = await ask([`/${link.shortCode}`])
  expect(byNode).toBe(1)
  expect(answers).toContain('HTTP/1.1 403 Forbidden')
  await house.app.recorder.catchUp()
  expect(await house.counts(link)).toMatchObject({ visits: { '': 0 } })
})
