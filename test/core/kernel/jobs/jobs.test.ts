import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NamedJob } from '../../../../core/kernel/jobs/job-schedule.ts'
import { createJobs } from '../../../../core/kernel/jobs/jobs.ts'
import type { Log } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { minute, openTestDb, stoppedClock } from '../../accounts/fixtures.ts'

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
const job = (run: NamedJob['run'], every = '* * * * *'): NamedJob => ({
  name: 'a.job',
  label: 'Job',
  every,
  run,
})

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
        label: 'Job',
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

  it('that fails is logged with the stack of what was thrown', async () => {
    const details: unknown[] = []
    const error: Log['error'] = (_, detail) => void details.push(detail)
    const thrown = new Error('boom')
    const failing = job(() => Promise.reject(thrown))
    await createJobs([failing], { db, now: clock.now, log: { ...log, error } }).run('a.job')
    expect(details).toEqual([{ job: 'a.job', error: thrown }])
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
    const daily = job(() => void runs++, '1 12 * * *')
    await jobsOf(daily).run('a.job')
    clock.advance(-2 * dayMs)
    vi.setSystemTime(clock.now())
    const jobs = jobsOf(daily)
    jobs.start()
    await aMinute()
    expect(runs).toBe(1)
    clock.advance(3 * dayMs - 60_000)
    vi.setSystemTime(clock.now())
    await aMinute()
    await jobs.stop()
    expect(runs).toBe(2)
  })

  it.each([
    ['minute', '* * * * *', 60_000],
    ['hour', '1 * * * *', hourMs],
    ['day', '1 12 * * *', dayMs],
  ])(
    'that was ahead holds a job of each %s back for less than seven of its times',
    async (_, every, ms) => {
      let runs = 0
      const often = job(() => void runs++, every)
      const runsAfter = async (setBackMs: number) => {
        clock.set('2026-11-20T12:00:00Z')
        clock.advance(setBackMs)
        await jobsOf(often).run('a.job')
        clock.advance(-setBackMs)
        vi.setSystemTime(clock.now())
        runs = 0
        const jobs = jobsOf(often)
        jobs.start()
        await aMinute()
        await jobs.stop()
        return runs
      }
      // The next time of the job is in a minute.
      expect(await runsAfter(7 * ms)).toBe(0)
      expect(await runsAfter(7 * ms + 60_000)).toBe(1)
    },
  )

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
    ['a night', 19 * hourMs, ['2026-11-21T07:01', '2026-11-22T01:50']],
    ['a month', 30 * dayMs + 19 * hourMs, ['2026-12-21T07:01', '2026-12-22T01:50']],
    ['400 days', 400 * dayMs + 19 * hourMs, ['2027-12-26T07:01', '2027-12-27T01:50']],
  ])('that is ahead by %s all at once runs a nightly job within a minute', async (_, ms, late) => {
    const runs: string[] = []
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const nightly = job(() => void runs.push(clock.now().toISOString().slice(0, 16)), '50 1 * * *')
    const jobs = jobsOf(nightly)
    jobs.start()
    clock.advance(ms)
    vi.setSystemTime(clock.now())
    for (let minutes = 0; minutes < 20 * 60; minutes += 1) await aMinute()
    await jobs.stop()
    expect(runs).toEqual(late)
    expect(warn).not.toHaveBeenCalled()
  })

  it('that leaps ahead before the next slot runs a job once, without a look at each slot that it passed over', async () => {
    let runs = 0
    const jobs = jobsOf(job(() => void runs++))
    jobs.start()
    clock.advance(400 * dayMs)
    vi.setSystemTime(clock.now())
    // A look at each of the half million slots would take a minute, longer than a test may.
    await vi.advanceTimersByTimeAsync(31_000)
    await jobs.stop()
    expect(runs).toBeGreaterThanOrEqual(1)
    expect(runs).toBeLessThanOrEqual(2)
  })

  it('that was wrong by a year when the process started, and is set right, runs jobs in their slots', async () => {
    const runs: string[] = []
    const nightly = job(() => void runs.push(clock.now().toISOString().slice(0, 16)), '50 1 * * *')
    clock.advance(400 * dayMs)
    vi.setSystemTime(clock.now())
    const jobs = jobsOf(nightly)
    jobs.start()
    clock.advance(-400 * dayMs)
    vi.setSystemTime(clock.now())
    for (let minutes = 0; minutes < 38 * 60; minutes += 1) await aMinute()
    await jobs.stop()
    expect(runs).toEqual(['2026-11-21T01:50', '2026-11-22T01:50'])
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

describe('a slot that passed while the process was off', () => {
  const nightly = '50 1 * * *'
  const started: string[] = []

  beforeEach(() => {
    vi.useFakeTimers({ now: clock.now() })
    started.splice(0)
  })
  afterEach(() => vi.useRealTimers())

  const named = (name: string, every = nightly, run: () => void = silent): NamedJob => ({
    name,
    label: 'Job',
    every,
    run() {
      started.push(`${name} ${clock.now().toISOString().slice(0, 16)}`)
      run()
    },
  })

  /** A process with these jobs that starts now and is on for so long. */
  async function isOn(ms: number, ...jobs: NamedJob[]) {
    vi.setSystemTime(clock.now())
    const all = jobsOf(...jobs)
    all.start()
    for (let past = 0; past < ms; past += 10_000) {
      clock.advance(10_000)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    await all.stop()
  }
  const twoMinutes = 120_000

  it('is made up for once, a minute after the start', async () => {
    await isOn(twoMinutes, named('a.job'))
    expect(started).toEqual([])
    clock.set('2026-11-23T12:00:00Z')
    await isOn(50_000, named('a.job'))
    expect(started).toEqual([])
    clock.set('2026-11-23T12:10:00Z')
    await isOn(twoMinutes, named('a.job'))
    expect(started).toEqual(['a.job 2026-11-23T12:11'])
    clock.advance(hourMs)
    await isOn(twoMinutes, named('a.job'))
    expect(started).toHaveLength(1)
  })

  it('is not made up for by a job that ran in it, nor by one with no slot in between', async () => {
    const jobs = () => [named('a.ran'), named('a.later', '30 18 * * *')]
    await isOn(twoMinutes, ...jobs())
    clock.set('2026-11-21T01:49:00Z')
    await isOn(twoMinutes, named('a.ran'))
    expect(started).toEqual(['a.ran 2026-11-21T01:50'])
    clock.set('2026-11-21T12:00:00Z')
    await isOn(twoMinutes, ...jobs())
    expect(started).toEqual(['a.ran 2026-11-21T01:50', 'a.later 2026-11-21T12:01'])
  })

  it('is left out once after weeks if a job deletes for good, unless somebody runs it, and not twice', async () => {
    const jobs = () => [{ ...named('a.deletes'), deletesForGood: true }, named('a.other')]
    await isOn(twoMinutes, ...jobs())
    await jobsOf(...jobs()).run('a.deletes')
    started.splice(0)
    clock.set('2027-01-10T12:00:00Z')
    await isOn(twoMinutes, ...jobs())
    expect(started).toEqual(['a.other 2027-01-10T12:01'])
    const [state] = await jobsOf(...jobs()).list()
    expect(state).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^Left out once: /),
    })
    await isOn(twoMinutes, ...jobs())
    expect(started).toHaveLength(1)

    // However long the next pause is, as on a computer that runs now and then.
    clock.set('2027-03-01T12:00:00Z')
    await isOn(twoMinutes, ...jobs())
    expect(started.slice(1)).toEqual(['a.deletes 2027-03-01T12:01', 'a.other 2027-03-01T12:01'])
    clock.set('2027-05-01T12:00:00Z')
    expect(await jobsOf(...jobs()).run('a.deletes')).toBe(true)
    expect(started).toHaveLength(4)
  })

  it('is left out again when it follows within hours, so that there is time to correct the clock', async () => {
    const job = { ...named('a.deletes'), deletesForGood: true }
    await isOn(twoMinutes, job)
    await jobsOf(job).run('a.deletes')
    started.splice(0)
    // Left out at 01:48, and again in its slot, at 01:50.
    clock.set('2027-01-10T01:47:00Z')
    await isOn(5 * twoMinutes, job)
    expect(started).toEqual([])
    clock.set('2027-01-11T01:49:00Z')
    await isOn(twoMinutes, job)
    expect(started).toEqual(['a.deletes 2027-01-11T01:50'])
  })

  it('is made up for by one job after the other, though one fails', async () => {
    const { run, end } = lasting()
    const failing = named('a.failing', nightly, () => {
      throw new Error('boom')
    })
    const slow: NamedJob = { name: 'a.slow', label: 'Slow', every: nightly, run }
    const all = () => [failing, slow, named('a.last')]
    await isOn(twoMinutes, ...all())
    clock.set('2026-11-21T12:00:00Z')
    vi.setSystemTime(clock.now())
    const jobs = jobsOf(...all())
    jobs.start()
    clock.advance(minute)
    await vi.advanceTimersByTimeAsync(minute)
    expect(started).toEqual(['a.failing 2026-11-21T12:01'])
    expect(await jobs.list()).toMatchObject([
      { outcome: 'failed' },
      { running: true },
      { startedAt: null },
    ])
    end()
    await vi.advanceTimersByTimeAsync(1)
    await jobs.stop()
    expect(started).toEqual(['a.failing 2026-11-21T12:01', 'a.last 2026-11-21T12:01'])
  })

  it('is not made up for again by a process that dies of it and starts again and again', async () => {
    await isOn(twoMinutes, named('a.job'))
    clock.set('2026-11-21T12:00:00Z')
    let attempts = 0
    const deadly: NamedJob = {
      name: 'a.job',
      label: 'Job',
      every: nightly,
      run() {
        attempts += 1
        return new Promise<void>(() => undefined)
      },
    }
    for (let start = 0; start < 3; start += 1) {
      vi.setSystemTime(clock.now())
      jobsOf(deadly).start()
      clock.advance(twoMinutes)
      await vi.advanceTimersByTimeAsync(twoMinutes)
    }
    expect(attempts).toBe(1)
  })

  it('is none of a job that is told to stop before its turn', async () => {
    const { run, end } = lasting()
    const all = () => [{ name: 'a.slow', label: 'Slow', every: nightly, run }, named('a.last')]
    await isOn(twoMinutes, ...all())
    clock.set('2026-11-21T12:00:00Z')
    vi.setSystemTime(clock.now())
    const jobs = jobsOf(...all())
    jobs.start()
    clock.advance(minute)
    await vi.advanceTimersByTimeAsync(minute)
    const stopped = jobs.stop()
    end()
    await stopped
    expect(started).toEqual([])
  })

  it('is found for jobs of a week and of a month, and not before jobs ran here at all', async () => {
    const all = () => [named('a.weekly', '0 3 * * 0'), named('a.monthly', '0 3 1 * *')]
    await isOn(twoMinutes, ...all())
    clock.set('2026-11-21T12:00:00Z')
    await isOn(twoMinutes, ...all())
    expect(started).toEqual([])
    clock.set('2026-11-30T12:00:00Z')
    await isOn(twoMinutes, ...all())
    clock.set('2026-12-02T12:00:00Z')
    await isOn(twoMinutes, ...all())
    expect(started).toEqual(['a.weekly 2026-11-30T12:01', 'a.monthly 2026-12-02T12:01'])
  })

  it('is not seen by a clock that was set back', async () => {
    await jobsOf(named('a.job')).run('a.job')
    clock.advance(-3 * dayMs)
    await isOn(twoMinutes, named('a.job'))
    expect(started).toHaveLength(1)
  })
})

describe('jobs that are replaced', () => {
  it('run by their new names and times, those of before no more', async () => {
    const ran: string[] = []
    const named = (name: string, version: number): NamedJob => ({
      name,
      label: 'Job',
      every: '0 3 * * *',
      run: () => void ran.push(`${name} ${version}`),
    })
    const jobs = jobsOf(named('a.stays', 1), named('a.goes', 1))
    jobs.replace([named('a.stays', 2), named('a.comes', 2)])
    expect(await jobs.run('a.goes')).toBe(false)
    expect(await jobs.run('a.stays')).toBe(true)
    expect(await jobs.run('a.comes')).toBe(true)
    expect(ran).toEqual(['a.stays 2', 'a.comes 2'])
    expect((await jobs.list()).map(({ name }) => name)).toEqual(['a.stays', 'a.comes'])
  })

  it('do not begin before the one of the same name has ended', async () => {
    const { run, end } = lasting()
    const jobs = jobsOf(job(run))
    const running = jobs.run('a.job')
    await vi.waitFor(() => expect(jobs.running()).toHaveLength(1))
    jobs.replace([job(silent)])
    expect(await jobs.run('a.job')).toBe(false)
    const ended = jobs.ended('a.')
    end()
    await ended
    await running
    expect(await jobs.run('a.job')).toBe(true)
  })

  it('are scheduled when the clock runs', async () => {
    const jobs = jobsOf(job(silent))
    jobs.start()
    jobs.replace([{ ...job(silent, '0 3 * * *'), name: 'a.other' }])
    expect(await jobs.list()).toMatchObject([{ name: 'a.other', nextRunAt: expect.any(Date) }])
    await jobs.stop()
  })
})
