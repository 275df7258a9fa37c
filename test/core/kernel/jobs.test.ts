import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJobs, type NamedJob } from '../../../core/kernel/jobs.ts'
import type { Log } from '../../../core/plugin.ts'
import type { Database } from '../../../core/storage/database.ts'
import { openTestDb, stoppedClock } from '../accounts/fixtures.ts'

const clock = stoppedClock()
let db: Database
let errors: string[]

beforeEach(async () => {
  db = await openTestDb()
  clock.set('2026-11-20T12:00:00Z')
  errors = []
})

const silent = () => undefined
const log: Log = { info: silent, warn: silent, error: message => void errors.push(message) }
const jobsOf = (...jobs: NamedJob[]) => createJobs(jobs, { db, now: clock.now, log })
const job = (run: NamedJob['run'], every = '* * * * *'): NamedJob => ({ name: 'a.job', every, run })

/** A run that lasts until it is told to end. */
function lasting() {
  let end = silent as () => void
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { run: () => ended, end }
}

describe('a job', () => {
  it('has never run at first', async () => {
    expect(await jobsOf(job(silent, '5 0 * * *')).list()).toEqual([
      {
        name: 'a.job',
        every: '5 0 * * *',
        running: false,
        startedAt: null,
        endedAt: null,
        error: null,
      },
    ])
  })

  it('is told of when it ran, also after a restart', async () => {
    const jobs = jobsOf(job(() => clock.advance(5_000)))
    expect(await jobs.run('a.job')).toBe(true)
    const [state] = await jobsOf(job(silent)).list()
    expect(state).toMatchObject({
      running: false,
      startedAt: new Date('2026-11-20T12:00:00Z'),
      endedAt: new Date('2026-11-20T12:00:05Z'),
      error: null,
    })
  })

  it('that fails is told of and logged, and runs again', async () => {
    let isBroken = true
    const jobs = jobsOf(
      job(() => {
        if (isBroken) throw new Error('boom')
      }),
    )
    await jobs.run('a.job')
    expect(await jobs.list()).toMatchObject([{ error: 'boom', endedAt: clock.now() }])
    expect(errors).toEqual(['The job a.job failed: boom'])
    isBroken = false
    await jobs.run('a.job')
    expect(await jobs.list()).toMatchObject([{ error: null }])
  })

  it('does not run twice at the same time', async () => {
    const { run, end } = lasting()
    const jobs = jobsOf(job(run))
    const first = jobs.run('a.job')
    expect(await jobs.list()).toMatchObject([{ running: true, endedAt: null }])
    expect(await jobs.run('a.job')).toBe(false)
    end()
    expect(await first).toBe(true)
    expect(await jobs.list()).toMatchObject([{ running: false }])
  })

  it('that nobody knows does not run', async () => {
    expect(await jobsOf(job(silent)).run('a.other')).toBe(false)
  })

  it('is waited for at the stop', async () => {
    const { run, end } = lasting()
    const jobs = jobsOf(job(run))
    const running = jobs.run('a.job')
    let isStopped = false
    const stopped = jobs.stop().then(() => {
      isStopped = true
    })
    await jobs.list()
    expect(isStopped).toBe(false)
    end()
    await Promise.all([running, stopped])
    expect(await jobs.list()).toMatchObject([{ running: false, error: null }])
  })
})

describe('the clock', () => {
  beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-20T12:00:30Z') }))
  afterEach(() => vi.useRealTimers())

  /** Let the timers of a minute run; what they begin has ended when the jobs can be listed. */
  async function aMinute(): Promise<void> {
    clock.advance(60_000)
    await vi.advanceTimersByTimeAsync(60_000)
  }

  it('runs a job in each of its slots, until the stop', async () => {
    const runs: string[] = []
    const jobs = jobsOf(job(() => void runs.push(clock.now().toISOString().slice(11, 16))))
    jobs.start()
    await aMinute()
    await aMinute()
    await jobs.stop()
    await aMinute()
    expect(runs).toEqual(['12:01', '12:02'])
  })

  it('runs a job once a slot, also when it was set back and the slot comes again', async () => {
    let runs = 0
    const jobs = jobsOf(job(() => void runs++))
    jobs.start()
    await aMinute()
    clock.advance(-60_000)
    await aMinute()
    await jobs.stop()
    expect(runs).toBe(1)
  })

  it('runs a job at its time of UTC', async () => {
    let runs = 0
    const jobs = jobsOf(job(() => void runs++, '2 12 * * *'))
    jobs.start()
    await aMinute()
    expect(runs).toBe(0)
    await aMinute()
    await jobs.stop()
    expect(runs).toBe(1)
  })
})
