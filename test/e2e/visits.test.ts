import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { firstOf } from '../at-night.ts'
import { expectVisits } from './counted.ts'
import { builtProgram, temporaryFolder } from './program.ts'
import { createLink, serve } from './server.ts'

it.each(
  firstOf(1, [
    ['counts people, robots apart, and nobody who only looks ahead', '1'],
    ['counts the same without the fast lane', '0'],
  ] as const),
)('%s', async (_, fastLane) => {
  const server = await serve({ env: { LINNET_FAST_LANE: fastLane } })
  const { id, shortCode } = await createLink(server)
  const link = `${server.url}/${shortCode}`
  const visits: readonly Readonly<Record<string, string>>[] = [
    {},
    {},
    { dnt: '1' },
    { 'sec-gpc': '1' },
    { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
  ]
  for (const headers of visits)
    expect((await server.get(`/${shortCode}`, headers)).status).toBe(302)
  const head = await fetch(link, { method: 'HEAD', redirect: 'manual' })
  expect([head.status, head.headers.get('location')]).toEqual([302, 'https://example.com/'])
  const put = await fetch(link, { method: 'PUT', redirect: 'manual' })
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])

  await expectVisits(server, id, 4)
  const { body } = await server.api('GET', `/links/${id}/analytics?interval=all`)
  expect(body.data.totals).toMatchObject({ visits: 4, bots: 1 })
  // Two asked not to be tracked.
  const untracked = { value: '(none)', visits: 2 }
  expect(body.data.visitsByBrowser).toMatchObject([untracked, { value: 'Firefox', visits: 2 }])
  expect(body.data.visitsByOperatingSystem).toMatchObject([untracked, { visits: 2 }])
})

it('the thread that counts passes on why it cannot go on, and prints nothing between the lines of the log', () => {
  const worker = new URL('recorder-worker.js', pathToFileURL(builtProgram))
  const file = `${temporaryFolder()}/lost/linnet.db`
  const data = { address: { file }, run: '', features: [], outside: [], namesVisited: false }
  const script = `const { Worker } = require('node:worker_threads')
    const worker = new Worker(new URL('${worker}'), { workerData: ${JSON.stringify(data)} })
    worker.on('error', ({ message }) => console.log(message))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--eval', script])
  expect(String(stderr)).toBe('')
  expect(String(stdout)).toMatch(/^Cannot open database/)
})
