import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJobs, type NamedJob } from '../../../core/kernel/jobs.ts'
import type { Log } from '../../../core/plugin.ts'
import type { Database } from '../../../core/storage/database.ts'
import { openTestDb, stoppedClock } from '../accounts/fixtures.ts'

const clock = stoppedClock()
const hourMs = 3_600_000
const dayMs = 24 * hourMs
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
        outcome: null,
        nextRunAt: null,
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
      outcome: 'succeeded',
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
    expect(await jobs.list()).toMatchObject([
      { error: 'boom', outcome: 'failed', endedAt: clock.now() },
    ])
    expect(errors).toEqual(['The job a.job failed: boom'])
    isBroken = false
    await jobs.run('a.job')
    expect(await jobs.list()).toMatchObject([{ error: null }])
  })

  it('does not run twice at the same time', async () => {
    const { run, end } = lasting()
    const jobs = jobsOf(job(run))
    const first = jobs.run('a.job')
    expect(await jobs.list()).toMatchObject([{ running: true, endedAt: null, outcome: null }])
    expect(await jobsOf(job(silent)).list()).toMatchObject([{ outcome: 'interrupted' }])
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

  it('says when a job runs next, while it runs', async () => {
    const jobs = jobsOf(job(silent, '2 12 * * *'))
    jobs.start()
    expect(await jobs.list()).toMatchObject([{ nextRunAt: new Date('2026-11-20T12:02:00Z') }])
    await jobs.stop()
    expect(await jobs.list()).toMatchObject([{ nextRunAt: null }])
  })

  it('runs no job again when it was set back by days, also after a restart', async () => {
    let runs = 0
    const everyMinute = job(() => void runs++)
    await jobsOf(everyMinute).run('a.job')
    clock.advance(-2 * dayMs)
    vi.setSystemTime(clock.now())
    const jobs = jobsOf(everyMinute)
    jobs.start()
    await aMinute()
    expect(runs).toBe(1)
    clock.advance(2 * dayMs)
    vi.setSystemTime(clock.now())
    await aMinute()
    await jobs.stop()
    expect(runs).toBe(2)
  })

  it('that was wrong by a year and is right again runs jobs as ever', async () => {
    let runs = 0
    const everyMinute = job(() => void runs++)
    clock.advance(400 * dayMs)
    await jobsOf(everyMinute).run('a.job')
    clock.advance(-400 * dayMs)
    const jobs = jobsOf(everyMinute)
    jobs.start()
    await aMinute()
    await jobs.stop()
    expect(runs).toBe(2)
  })

  it.each([
    ['a night', 19 * hourMs, '2026-11-21T20:50'],
    ['a month', 30 * dayMs + 19 * hourMs, '2026-12-21T20:50'],
    ['400 days', 400 * dayMs + 19 * hourMs, '2027-12-26T20:50'],
  ])('that is ahead by %s all at once runs a nightly job once, late', async (_, ms, late) => {
    const runs: string[] = []
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const nightly = job(() => void runs.push(clock.now().toISOString().slice(0, 16)), '50 1 * * *')
    const jobs = jobsOf(nightly)
    jobs.start()
    clock.advance(ms)
    vi.setSystemTime(clock.now())
    // The timer was set for the night, and stands still while a machine sleeps.
    for (let minutes = 0; minutes < 14 * 60; minutes += 1) await aMinute()
    await jobs.stop()
    expect(runs).toEqual([late])
    expect(warn).not.toHaveBeenCalled()
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
