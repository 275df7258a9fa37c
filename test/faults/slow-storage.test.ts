import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { holdWriteLock } from '../e2e/crash.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { createLink, type ServeOptions, type Server, serve } from '../e2e/server.ts'
import { sendVisitors } from '../e2e/visitors.ts'
import { anxiousProgram, noDisk, onDisk } from './disk.ts'

const draft = { original_url: 'https://example.com/' }

describe('D07: nothing can be written for a while, under visitors', () => {
  it('keeps every visit while another holds the write lock for 15 s', async () => {
    const { server, id, visitors } = await visited()
    const letGo = holdWriteLock(server)
    await delay(15_000)
    expect(await noteOnVisits(server)).toMatch(
      /^Visits cannot be written: database is locked\. \d+/,
    )
    letGo()
    await allCounted(server, id, visitors)
  })

  it.skipIf(noDisk)('keeps every visit while the disk fails for 5 s', async () => {
    const dataDir = temporaryFolder()
    const failsWhile = join(temporaryFolder(), 'failing')
    const { server, id, visitors } = await visited({
      dataDir,
      env: onDisk(dataDir, { failsWhile }),
    })
    writeFileSync(failsWhile, '')
    await delay(4_000)
    const refused = await server.api('POST', '/links', draft)
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await noteOnVisits(server)).toMatch(/^Visits cannot be written: disk I\/O error\. \d+/)
    await delay(1_000)
    rmSync(failsWhile)
    await allCounted(server, id, visitors)
    expect((await createLink(server)).shortCode).not.toBe('')
  })
})

describe('D08: a server that can write nothing for a minute, at 2,000 visits a second', () => {
  it('drops what is past the queue, says how many, and takes no more memory', async () => {
    const { server, id, visitors } = await visited({}, { visitors: 40, pauseMs: 12 })
    const letGo = holdWriteLock(server)
    const memory: number[] = []
    for (let second = 0; second < 60; second += 1) {
      await delay(1_000)
      memory.push(memoryOf(server))
    }
    letGo()
    await visitors.stop()
    const answered = visitors.answeredAt.length
    const stored = await untilSettled(server, id)
    const dropped = Number(/(\d+) visits were dropped/.exec(await noteOnVisits(server))?.[1] ?? 0)
    console.table([{ answered, stored, dropped, perSecond: Math.round(answered / 60) }])
    console.log(`MiB by the second: ${memory.join(' ')}`)
    expect(answered - stored).toBe(dropped)
    expect(dropped).toBeGreaterThan(0)
    expect(visitors.otherwise).toEqual([])
    expect(Math.max(...memory.slice(40)) - Math.max(...memory.slice(20, 40))).toBeLessThan(30)
  })
})

describe.skipIf(noDisk)('D18: a flush that takes 50 ms longer, under 500 visitors a second', () => {
  const pause = () => delay(10_000)

  it('is not felt by redirects', async () => {
    const before = await mostWaited({ meanwhile: pause })
    const slow = await mostWaited({ flushMs: 50, meanwhile: pause })
    const after = await mostWaited({ meanwhile: pause })
    // On a busy machine redirects take longer on any disk.
    expect(slow).toBeLessThanOrEqual(Math.max(10, 3 * Math.max(before, after)))
  })
})

describe.skipIf(noDisk)('a flush that takes 20 ms longer, while ten clients make links', () => {
  it('is not felt by redirects either', async () => {
    const before = await mostWaited({ meanwhile: tenMakeLinks })
    const slow = await mostWaited({ flushMs: 20, meanwhile: tenMakeLinks })
    const after = await mostWaited({ meanwhile: tenMakeLinks })
    expect(slow).toBeLessThanOrEqual(Math.max(10, 1.5 * Math.max(before, after)))
  })

  it('control: a slower one is felt by them where each commit is flushed on their thread', async () => {
    const flushMs = 250
    const slow = await mostWaited({ flushMs, program: anxiousProgram(), meanwhile: tenMakeLinks })
    // Each redirect is requested a moment after a flush begins.
    expect(slow).toBeGreaterThanOrEqual(0.8 * flushMs)
  })

  async function tenMakeLinks(server: Server): Promise<void> {
    const until = performance.now() + 10_000
    const makeLinks = async () => {
      while (performance.now() < until) await server.api('POST', '/links', draft)
    }
    await Promise.all(Array.from({ length: 10 }, makeLinks))
  }
})

if (noDisk)
  it.skip(`D18, what follows it and a part of D07 are left out: ${noDisk}`, () => undefined)

/** The longest wait of the fastest 99 % of visitors, in milliseconds. */
async function mostWaited({
  flushMs = 0,
  program,
  meanwhile,
}: {
  readonly flushMs?: number
  readonly program?: string
  meanwhile(server: Server): Promise<unknown>
}): Promise<number> {
  const dataDir = temporaryFolder()
  const env = onDisk(dataDir, { flushMs })
  const pace = { visitors: 10, pauseMs: 18 }
  const { server, id, visitors } = await visited(
    { dataDir, env, ...(program !== undefined && { program }) },
    pace,
  )
  await meanwhile(server)
  await allCounted(server, id, visitors)
  const mostWaitedMs = Math.round(visitors.mostWaitedMs())
  console.table([{ flushMs, answered: visitors.answeredAt.length, mostWaitedMs }])
  return mostWaitedMs
}

/** A server, and a link that visitors follow all the time. */
async function visited(options: ServeOptions = {}, pace?: Parameters<typeof sendVisitors>[1]) {
  const server = await serve(options)
  const { id, shortCode } = await createLink(server)
  // By then the writes of the start and of the new link are done.
  await delay(3_000)
  const visitors = sendVisitors(`${server.url}/${shortCode}`, pace)
  await expect.poll(() => visitors.answeredAt.length).toBeGreaterThan(0)
  return { server, id, visitors }
}

async function noteOnVisits(server: Server): Promise<string> {
  return (await server.get('/health/ready')).body.checks.visits.note ?? ''
}

async function allCounted(
  server: Server,
  id: string,
  visitors: ReturnType<typeof sendVisitors>,
): Promise<void> {
  await visitors.stop()
  expect(visitors.otherwise).toEqual([])
  expect(await untilSettled(server, id)).toBe(visitors.answeredAt.length)
}

/** The total of the link once no visit waits to be stored. */
async function untilSettled(server: Server, id: string): Promise<number> {
  const total = async (): Promise<number> =>
    (await server.api('GET', `/links/${id}`)).body.data.visits.total
  let before = -1
  for (let now = await total(); now !== before || /wait/.test(await noteOnVisits(server)); ) {
    before = now
    await delay(1_000)
    now = await total()
  }
  return before
}

/** Resident memory in MiB. */
function memoryOf({ pid }: Server): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
