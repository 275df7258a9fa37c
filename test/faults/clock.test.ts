import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { admin, createLink, type Server, serve } from '../e2e/server.ts'
import { sendVisitors } from '../e2e/visitors.ts'
import { movedClock, noClock } from './clock.ts'

const dayMs = 86_400_000
const job = 'visits.tidyCounts'

describe.skipIf(noClock)('D19: the clock jumps under visitors', () => {
  it('by -2 and +400 days, over a leap day and a change to summer time, and breaks nothing', async () => {
    const start = new Date('2028-02-28T23:59:50Z')
    const clock = movedClock(start)
    const server = await serve({ env: { ...clock.env, TZ: 'Europe/Berlin' } })
    const { id, shortCode } = await createLink(server)
    const session = await signIn(server)
    expect(await sessionAnswers(server, session)).toBe(200)
    const visitors = sendVisitors(`${server.url}/${shortCode}`, { pauseMs: 20 })

    const answers: Record<string, number> = {}
    for (const [name, moment] of jumps(start)) {
      clock.set(moment)
      await untilClockShows(server, moment)
      await createLink(server)
      answers[name] = await sessionAnswers(server, session)
    }
    expect(answers).toEqual({
      '2 days back': 200,
      'the leap day': 200,
      '400 days on': 401,
      'back from there': 401,
      'an hour that is left out': 401,
    })

    await visitors.stop()
    expect(visitors.otherwise).toEqual([])
    const total = async () => (await server.api('GET', `/links/${id}`)).body.data.visits.total
    await expect.poll(total).toBe(visitors.answeredAt.length)
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('and a job runs once in its slot, though slots come again', async () => {
    const beforeSlot = new Date('2026-11-20T01:49:53Z')
    const clock = movedClock(beforeSlot)
    const server = await serve({ env: clock.env })
    const first = await nextRun(server, null)
    expect(first).toMatch(/^2026-11-20T01:50/)

    clock.set(new Date(beforeSlot.getTime() - 2 * dayMs))
    const restarted = await restart(server, clock.env)
    await delay(12_000)
    expect(await startedAt(restarted)).toBe(first)

    clock.set(new Date(beforeSlot.getTime() + dayMs))
    const nextDay = await restart(restarted, clock.env)
    expect(await nextRun(nextDay, first)).toMatch(/^2026-11-21T01:50/)
  })

  it('and a job that it leaps over runs soon after, as on a machine that slept', async () => {
    const evening = new Date('2026-11-20T20:00:00Z')
    const clock = movedClock(evening)
    const server = await serve({ env: clock.env })
    clock.set(new Date(evening.getTime() + dayMs / 2))
    const last = () => startedAt(server)
    await expect.poll(last, { interval: 1_000 }).toMatch(/^2026-11-21T08:0/)
  })
})

if (noClock) it.skip(`D19 is left out: ${noClock}`, () => undefined)

function jumps(start: Date): readonly (readonly [string, Date])[] {
  return [
    ['2 days back', new Date(start.getTime() - 2 * dayMs)],
    ['the leap day', new Date('2028-02-29T23:59:58Z')],
    ['400 days on', new Date(start.getTime() + 400 * dayMs)],
    ['back from there', start],
    ['an hour that is left out', new Date('2028-03-26T00:59:58Z')],
  ]
}

async function untilClockShows(server: Server, moment: Date): Promise<void> {
  const day = moment.toISOString().slice(0, 10)
  const shown = async () => {
    const date = (await server.get('/health/live')).headers.get('date') ?? ''
    return Math.abs(new Date(date).getTime() - moment.getTime()) < 30_000
  }
  await expect.poll(shown, { message: `its clock shows ${day}` }).toBe(true)
}

async function signIn(server: Server): Promise<string> {
  const { headers, status } = await server.api('POST', '/session', admin, {
    authorization: '',
    'sec-fetch-site': 'same-origin',
  })
  expect(status).toBe(201)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function sessionAnswers(server: Server, cookie: string): Promise<number> {
  return (await server.get('/api/v1/profile', { cookie })).status
}

/** When the job last began, in ISO 8601. */
async function startedAt(server: Server): Promise<string | null> {
  const { body } = await server.api('GET', '/admin/jobs')
  const jobs: readonly { name: string; startedAt: string | null }[] = body.data
  return jobs.find(({ name }) => name === job)?.startedAt ?? null
}

async function nextRun(server: Server, before: string | null): Promise<string | null> {
  await expect.poll(() => startedAt(server)).not.toBe(before)
  return startedAt(server)
}

async function restart(server: Server, env: Readonly<Record<string, string>>): Promise<Server> {
  await server.kill('SIGTERM')
  return serve({ dataDir: server.dataDir, env })
}
