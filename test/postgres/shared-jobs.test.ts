import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NamedJob } from '../../core/kernel/jobs/job-schedule.ts'
import { createJobs, type Jobs } from '../../core/kernel/jobs/jobs.ts'
import type { Storage } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { itAtNight } from '../at-night.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { type Server as Node, serve } from '../e2e/server.ts'
import { url } from './own-server.ts'

describe('of several servers on one database', () => {
  const opened: Storage[] = []
  const begun: Jobs[] = []
  const ran: string[] = []
  const wrong: string[] = []
  let unanswered = 0
  const note = (message: string) => void wrong.push(message)
  const log = { info: () => undefined, warn: note, error: note }
  const minuteMs = 60_000
  /** Shorter than any time limit of a connection. */
  const stepMs = 2_500

  beforeEach(() => {
    for (const list of [ran, wrong]) list.splice(0)
    unanswered = 0
    vi.useFakeTimers({
      now: new Date('2026-11-20T12:00:30Z'),
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
  })
  afterEach(async () => {
    vi.useRealTimers()
    for (const jobs of begun.splice(0)) await jobs.stop()
    for (const storage of opened.splice(0)) await storage.close()
    expect(wrong).toEqual([])
  })

  /** Counts the queries without an answer yet. */
  function watched(db: Storage['db']): Storage['db'] {
    return db.withPlugin({
      transformQuery({ node }) {
        unanswered += 1
        return node
      },
      async transformResult({ result }) {
        unanswered -= 1
        return result
      },
    })
  }

  /** A server with one job that runs on one server and one that runs on each. */
  async function aServer(name: string, every = '* * * * *'): Promise<Jobs> {
    const storage = await openDatabase({ url }, {})
    const { locks } = storage
    const db = watched(storage.db)
    opened.push(storage)
    if (!locks) throw new Error('There are no locks.')
    const job = (job: string): NamedJob => ({
      name: `a.${job}`,
      label: 'Job',
      every,
      everywhere: job === 'each',
      run: async () => {
        ran.push(`${job} ${new Date().toISOString().slice(11, 16)} ${name}`)
        await db.selectFrom('meta').selectAll().execute()
      },
    })
    const jobs = createJobs([job('one'), job('each')], {
      db,
      log,
      now: () => new Date(),
      many: { locks, machine: name },
    })
    jobs.start()
    begun.push(jobs)
    return jobs
  }

  /** Passes in steps, because the time limits of connections pass too: what begins in a step ends before the next. */
  async function pass(ms: number): Promise<void> {
    for (let past = 0; past < ms; past += stepMs) {
      await vi.advanceTimersByTimeAsync(stepMs)
      for (let idle = 0; idle < 3; ) {
        await new Promise(resolve => setImmediate(resolve))
        await Promise.all(begun.map(jobs => jobs.list()))
        const isBusy = unanswered > 0 || begun.some(jobs => jobs.running().length > 0)
        idle = isBusy ? 0 : idle + 1
      }
    }
  }

  const runsOf = (job: string) =>
    ran.filter(run => run.startsWith(job)).map(run => run.split(' ')[1])

  it('one runs a job in each of its slots, and each what is of its machine', async () => {
    for (const name of ['ada', 'bob', 'eve']) await aServer(name)
    await pass(4 * minuteMs)
    expect(runsOf('one')).toEqual(['12:01', '12:02', '12:03', '12:04'])
    expect(runsOf('each')).toHaveLength(12)
  })

  it('one with another clock does not run a slot again, and runs the next', async () => {
    const ada = await aServer('ada')
    await pass(30_000)
    expect(runsOf('one')).toEqual(['12:01'])
    await ada.stop()
    for (const behind of ['12:00:50', '12:01:50']) {
      vi.setSystemTime(new Date(`2026-11-20T${behind}Z`))
      const bob = await aServer('bob')
      await pass(20_000)
      await bob.stop()
    }
    expect(runsOf('one')).toEqual(['12:01', '12:02'])
    expect(runsOf('each').length).toBeGreaterThan(2)
  })

  itAtNight('one makes up for what all missed', async () => {
    const stopAll = () => Promise.all(begun.splice(0).map(jobs => jobs.stop()))
    await aServer('ada', '50 1 * * *')
    await pass(2 * minuteMs)
    await stopAll()
    vi.setSystemTime(new Date('2026-11-22T09:00:00Z'))
    for (const name of ['ada', 'bob', 'eve']) await aServer(name, '50 1 * * *')
    await pass(2 * minuteMs)
    expect(runsOf('each')).toHaveLength(3)
    expect(runsOf('one')).toHaveLength(1)
  })
})

it('a job of a server that is killed is run again by another, once', async () => {
  const [one, other] = [await serveSlowly(), await serveSlowly()]
  const job = 'acme.slow.wait'
  const stateOn = async (node: Node) => {
    const { body } = await node.api('GET', '/admin/jobs')
    return body.data.find(({ name }: { name: string }) => name === job)
  }
  const runOn = (node: Node) => node.api('POST', `/admin/jobs/${job}/run`)
  void runOn(one).catch(() => undefined)
  await one.logged(/^It has begun$/)
  expect(await stateOn(other)).toMatchObject({ running: true, outcome: null })
  expect((await runOn(other)).status).toBe(409)

  await one.kill('SIGKILL')
  await other.logged(/^It has begun$/)
  expect(await stateOn(other)).toMatchObject({
    running: true,
    error: 'The server that ran it ended, and another runs it again.',
  })
})

/** A server with a job that never ends. */
async function serveSlowly(): Promise<Node> {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(
    join(dataDir, 'plugins/slow.mjs'),
    `export default {
      feature: 'acme.slow',
      api: 1,
      about: 'Waits until it is told to stop.',
      jobs: {
        wait: {
          every: '5 0 1 1 *',
          run({ log, signal }) {
            log.info('It has begun')
            return new Promise(resolve => signal.addEventListener('abort', resolve))
          },
        },
      },
    }`,
  )
  return serve({ dataDir, env: { DATABASE_URL: url } })
}
