import { expect, it, onTestFinished } from 'vitest'
import { createLink, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'
import { startRelay } from './relay.ts'

it('a link with a number of visits leads on whoever comes, and counts those alone, with a database 5 ms away', async () => {
  const relay = await startRelay(server.folder, url)
  const node = await serve({ env: { DATABASE_URL: relay.url } })
  onTestFinished(async () => void (await node.kill('SIGKILL')))
  const limit = 1_000
  const link = await createLink(node, { max_visits: limit })
  relay.slowDown(5)
  const visit = async () => (await node.get(`/${link.shortCode}`)).status
  const visitor = async () => {
    const seen: number[] = []
    for (let visits = 0; visits < 8; visits += 1) seen.push(await visit())
    return seen
  }
  const seen = (await Promise.all(Array.from({ length: 100 }, visitor))).flat()
  // On a machine that is busy with other things, some may be told to come again.
  expect(seen.filter(status => status !== 302 && status !== 503)).toEqual([])
  expect(await visit()).toBe(302)
  // None that was turned away used up a visit: just as many are left.
  let led = seen.filter(status => status === 302).length + 1
  expect(led).toBeGreaterThan(100)
  relay.slowDown(0)
  while ((await visit()) === 302) led += 1
  expect(led).toBe(limit)
})

it('whoever is told to come again by a link with a number of visits has used up none, also while the database stands still', async () => {
  const relay = await startRelay(server.folder, url)
  const node = await serve({ env: { DATABASE_URL: relay.url } })
  onTestFinished(async () => void (await node.kill('SIGKILL')))
  const limit = 40
  const link = await createLink(node, { max_visits: limit })
  const visit = async () => (await node.get(`/${link.shortCode}`)).status
  let led = 0
  for (let round = 1; round <= 3; round += 1) {
    await expect.poll(visit).toBe(302)
    led += 1
    const goOn = relay.stall()
    const seen = await Promise.all(Array.from({ length: 8 }, visit))
    expect(seen).toEqual(Array(8).fill(503))
    goOn()
  }
  const rest = async () => {
    const status = await visit()
    if (status === 302) led += 1
    return status
  }
  await expect.poll(rest, { interval: 1 }).toBe(410)
  expect(led).toBe(limit)
})
