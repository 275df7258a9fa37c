import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { connection } from '../e2e/connection.ts'
import {
  type Counted,
  createLinksUntilKilled,
  lostLinks,
  visitors,
  visitUntil,
} from '../e2e/crash.ts'
import { serveHanging } from '../e2e/hanging.ts'
import { type Repeated, repeatAfterKill } from '../e2e/repeated-requests.ts'
import { createLink, serve } from '../e2e/server.ts'

const rounds = Array.from({ length: 25 }, (_, index) => index + 1)

describe('D01: kill -9 while clients make links', () => {
  it('loses none that a client was told of, and the next start is ready in two seconds', async () => {
    const promised = new Map<string, string>()
    const table: Record<'killedAfterMs' | 'promised' | 'lost' | 'readyMs' | 'cleanMs', number>[] =
      []
    let server = await serve()
    for (const _ of rounds) {
      const killedAfterMs = Math.round(50 + Math.random() * 950)
      const links = await createLinksUntilKilled(server, killedAfterMs)
      for (const [code, url] of links) promised.set(code, url)
      server = await serve({ dataDir: server.dataDir })
      const lost = (await lostLinks(server, links)).length
      const readyMs = Math.round(server.readyMs)
      await server.kill('SIGTERM')
      server = await serve({ dataDir: server.dataDir })
      const cleanMs = Math.round(server.readyMs)
      table.push({ killedAfterMs, promised: links.size, lost, readyMs, cleanMs })
    }
    console.table(table)
    // On a busy machine a start after a clean stop takes longer too.
    const patientMs = Math.max(2_000, ...table.map(({ cleanMs }) => 2 * cleanMs))
    expect(table.filter(({ lost, readyMs }) => lost > 0 || readyMs > patientMs)).toEqual([])
    expect(await lostLinks(server, promised)).toEqual([])

    const [control = ''] = promised.keys()
    await server.kill('SIGTERM')
    forget(server.dataDir, control)
    expect(await lostLinks(await serve({ dataDir: server.dataDir }), promised)).toEqual([control])
  })
})

describe('D04: a clean stop', () => {
  it('takes at most ten seconds, whatever clients keep open', async () => {
    const server = await serve()
    const { port } = new URL(server.url)
    await Promise.all([
      connection(port, ''),
      connection(port, 'GET /unfinished HTTP/1.1\r\nHost: x\r\n'),
      connection(port, 'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    ])
    const toldAt = performance.now()
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(10_000)
  })

  it('takes less than two seconds whatever a plugin has begun, which it names', async () => {
    const { server, begun } = await serveHanging()
    await createLink(server)
    const toldAt = performance.now()
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - toldAt).toBeLessThan(2_000)
    await begun
    const left = [
      ...['The job acme.hangs.hang', 'acme.hangs GET /hangs', 'acme.hangs on.created'],
      'acme.hangs dispose',
    ]
    expect(server.log.map(({ message }) => message)).toEqual(
      expect.arrayContaining(left.map(what => `${what} did not end in time and is abandoned`)),
    )
    await server.logged(/^a file was still running and is aborted$/)
  })

  it('takes no longer when nothing can be written', async () => {
    const { endedInMs } = await visitUntil('SIGTERM', 500, { lockIsHeld: true })
    expect(endedInMs).toBeLessThan(10_000)
  })
})

describe('D03: kill -9 under visitors', () => {
  it('loses at most one interval of visits and one flush, and the sums agree', async () => {
    const table = await visitInRounds('SIGKILL')
    expect(table.filter(({ lost, late }) => lost > late || lost < -visitors)).toEqual([])
    expect(table.filter(({ sumsAgree }) => !sumsAgree)).toEqual([])
    expect(table.some(({ lost }) => lost > 0)).toBe(true)
  })

  it('control: loses more when nothing can be written', async () => {
    const { answered, stored, late } = await visitUntil('SIGKILL', 2_000, { lockIsHeld: true })
    expect(answered - stored).toBeGreaterThan(late)
  })
})

describe('D04: SIGTERM under visitors', () => {
  it('counts exactly the redirects that visitors got, and ends well', async () => {
    const table = await visitInRounds('SIGTERM')
    expect(table.filter(({ lost, exit }) => lost !== 0 || exit.code !== 0)).toEqual([])
    expect(table.filter(({ sumsAgree }) => !sumsAgree)).toEqual([])
  })

  it('control: loses visits when nothing can be written, and says so', async () => {
    const { exit, answered, stored } = await visitUntil('SIGTERM', 500, { lockIsHeld: true })
    expect(exit.code).toBe(1)
    expect(stored).toBeLessThan(answered)
  })
})

describe('kill -9 around the commit of requests with an Idempotency-Key', () => {
  it('makes nothing twice when they are repeated, and answers as it would have', async () => {
    const table = await repeatInRounds({ keyed: true })
    expect(table.filter(({ wrong, twice }) => wrong.length + twice.length > 0)).toEqual([])
    expect(table.some(({ madeUnheard }) => madeUnheard > 0)).toBe(true)
    expect(table.some(({ unmade }) => unmade > 0)).toBe(true)
  })

  it('control: makes links twice when they are repeated without their keys', async () => {
    const table = await repeatInRounds({ keyed: false })
    const twice = table.flatMap(round => round.twice)
    expect(twice).toHaveLength(table.reduce((sum, { madeUnheard }) => sum + madeUnheard, 0))
    expect(twice.length).toBeGreaterThan(0)
  })
})

/** The results of repeated requests in each round; prints them too. */
async function repeatInRounds(how: { readonly keyed: boolean }): Promise<readonly Repeated[]> {
  const table: Repeated[] = []
  let server = await serve()
  for (const _ of rounds) {
    const repeated = await repeatAfterKill(server, 100 + Math.random() * 400, how)
    server = repeated.server
    table.push(repeated)
  }
  console.table(table, ['madeUnheard', 'unmade', 'wrong', 'twice'])
  return table
}

interface Round extends Counted {
  readonly lost: number
  readonly sumsAgree: boolean
}

/** The numbers of each round; prints them too. */
async function visitInRounds(signal: NodeJS.Signals): Promise<readonly Round[]> {
  const table: Round[] = []
  for (const _ of rounds) {
    const counted = await visitUntil(signal, 1_000 + Math.random() * 1_000)
    const { answered, stored, sums } = counted
    const sumsAgree = sums.every(sum => sum === stored)
    table.push({ ...counted, lost: answered - stored, sumsAgree })
  }
  console.table(table, ['answered', 'stored', 'lost', 'late', 'sumsAgree', 'endedInMs'])
  return table
}

function forget(dataDir: string, shortCode: string): void {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  database.prepare('delete from short_codes where code = ?').run(shortCode)
  database.close()
}
