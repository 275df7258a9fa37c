import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { browser, createLink, serve } from '../e2e/server.ts'
import { create } from '../inside.ts'
import { startRelay } from '../postgres/relay.ts'
import { findPrograms, startServer } from '../postgres/server.mjs'

const programs = findPrograms()

/** Asks for unknown codes from one address, five hundred a second, and leaves soon after, until it is stopped. */
function flood(port: number): () => Promise<number> {
  let sent = 0
  const ask = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    sent += 1
    socket.write(
      `GET /unknown${sent} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`,
    )
    await delay(2)
    socket.resetAndDestroy()
  }
  const all: Promise<unknown>[] = []
  const timer = setInterval(() => {
    for (let count = 0; count < 10; count += 1) all.push(ask().catch(() => undefined))
  }, 20)
  return async () => {
    clearInterval(timer)
    await Promise.all(all)
    return sent
  }
}

it.skipIf(!programs).each(['exact', 'any_case'])(
  'one client that asks for unknown codes delays no other where the database is far away: codes are %s',
  async codes => {
    const database = await startServer(programs ?? '')
    onTestFinished(() => database.stop())
    const relay = await startRelay(database.folder, await create(database.url()))
    const node = await serve({
      env: { DATABASE_URL: relay.url, LINNET_TRUSTED_PROXIES: '127.0.0.1' },
    })
    onTestFinished(async () => void (await node.kill('SIGKILL')))
    const rules = { grammar: 'narrow', codes }
    expect((await node.api('POST', '/code-rules', rules)).status).toBeLessThan(300)
    const links: string[] = []
    for (let made = 0; made < 100; made += 1) links.push((await createLink(node)).shortCode)
    relay.slowDown(4)
    const stop = flood(Number(new URL(node.url).port))
    await delay(2_000)
    const statuses: Record<number, number> = {}
    const times: number[] = []
    // Nobody has followed any of them yet.
    const visitors = links.map(async (code, index) => {
      await delay(50 * index)
      const askedAt = performance.now()
      const { status } = await node.get(`/${code}`, {
        'user-agent': browser,
        'x-forwarded-for': `198.51.100.${index}`,
      })
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - askedAt)
    })
    await Promise.all(visitors)
    const sent = await stop()
    const [median = 0, slowest = 0] = [50, 99].map(at => times.toSorted((a, b) => a - b)[at])
    console.log({
      codes,
      sent,
      statuses,
      medianMs: Math.round(median),
      slowestMs: Math.round(slowest),
    })
    expect(statuses).toEqual({ 302: links.length })
    expect(median).toBeLessThan(1_000)
  },
)
