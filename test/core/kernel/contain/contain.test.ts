import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createContainment } from '../../../../core/kernel/contain/contain.ts'
import type { Log } from '../../../../core/plugin.ts'
import { ofStorage } from '../../../../core/storage/files/out-of-reach.ts'

function build({ patienceMs }: { patienceMs?: number } = {}) {
  const lines: string[] = []
  const details: (object | undefined)[] = []
  const clock = { ms: 0 }
  const note: Log['info'] = (message, detail) => {
    lines.push(message)
    details.push(detail)
  }
  const log: Log = { info: note, warn: note, error: note }
  const contain = createContainment(log, { monotonicMs: () => clock.ms, patienceMs })
  return { contain, lines, details, clock }
}

const fails = () => {
  throw new Error('boom')
}

describe('a contained hook', () => {
  it('gives its value, plain or promised', async () => {
    const { contain } = build()
    expect(await contain.run('a.b', 'guard', () => 1)).toEqual({ ok: true, value: 1 })
    expect(await contain.run('a.b', 'guard', async () => 2)).toEqual({ ok: true, value: 2 })
  })

  it('that gives a million bytes has failed before anything looks at each of them', async () => {
    const { contain, lines } = build()
    const check = vi.fn()
    const bytes = () => Buffer.alloc(1_000_000)
    expect(await contain.run('a.b', 'prepare', bytes, { check })).toMatchObject({ ok: false })
    expect(lines).toEqual(['a.b prepare failed: it returned bytes'])
    expect(check).not.toHaveBeenCalled()
  })

  it.each([
    ['throws', fails, 'boom'],
    ['rejects', () => Promise.reject(new Error('no')), 'no'],
    [
      'throws something that is no error',
      () => {
        throw 'a string'
      },
      'a string',
    ],
  ])('that %s is named in the log and left behind', async (_, work, why) => {
    const { contain, lines } = build()
    expect(await contain.run('a.b', 'guard', work)).toEqual({ ok: false })
    expect(lines).toEqual([`a.b guard failed: ${why}`])
    expect(contain.health()).toMatchObject({ 'a.b guard': { failures: 1, open: false, last: why } })
  })

  describe.each(['EACCES', 'EMFILE', 'SQLITE_BUSY', 'SQLITE_CORRUPT', '23503'])(
    'that throws %s',
    code => {
      const failure = () => Object.assign(new Error('it cannot be read'), { code })

      it('has failed, if its own files or databases did', async () => {
        const { contain, lines } = build()
        expect(await contain.run('a.b', 'computed', () => Promise.reject(failure()))).toEqual({
          ok: false,
        })
        expect(lines).toEqual(['a.b computed failed: it cannot be read'])
        expect(contain.health()).toHaveProperty('a.b computed')
      })

      it('is not to blame, if the storage of Linnet did', async () => {
        const { contain, lines } = build()
        const cause = ofStorage(failure())
        const work = () => Promise.reject(new Error('I could not read', { cause }))
        expect(await contain.run('a.b', 'computed', work)).toMatchObject({ isUnavailable: true })
        expect(contain.health()).toEqual({})
        const said = 'a.b computed wrote of something that is not there any more'
        expect(lines).toEqual(code === '23503' ? [said] : [])
      })
    },
  )

  it('that hangs has failed when its budget is used up', async () => {
    vi.useFakeTimers()
    try {
      const { contain } = build()
      const running = contain.run('a.b', 'target', () => new Promise(() => undefined))
      await vi.advanceTimersByTimeAsync(250)
      expect(await running).toEqual({ ok: false, isUnanswered: true })
      expect(contain.health()['a.b target']?.last).toBe('no answer within 250 ms')
    } finally {
      vi.useRealTimers()
    }
  })

  describe('that waits for a guess', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    const inMs = <T>(ms: number, value: T) =>
      new Promise<T>(resolve => setTimeout(resolve, ms, value))
    const never = () => new Promise(() => undefined)

    it('of a visit gives its answer, also where a password takes 5 seconds', async () => {
      const { contain } = build()
      const work = () => contain.guess('a.b', inMs(5_000, true))
      const running = contain.run('a.b', 'guard', work, { isVisit: true })
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await running).toEqual({ ok: true, value: true })
    })

    it.each([
      ['when it is not of a visit', 'a.b', {}],
      ['when only another plugin waits', 'a.c', { isVisit: true }],
    ])('has failed when its budget is used up %s', async (_, feature, details) => {
      const { contain } = build()
      void contain.guess(feature, inMs(5_000, true))
      const running = contain.run('a.b', 'guard', never, details)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await running).toEqual({ ok: false, isUnanswered: true })
      expect(contain.health()['a.b guard']?.last).toBe('no answer within 2000 ms')
    })

    it('has failed when its budget is used up, once the guess is over', async () => {
      const { contain } = build()
      const work = async () => {
        await contain.guess('a.b', inMs(500, true))
        await never()
      }
      const running = contain.run('a.b', 'guard', work, { isVisit: true })
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await running).toEqual({ ok: false, isUnanswered: true })
    })

    it('that never ends is overloaded after 12 seconds, and no plugin is to blame', async () => {
      const { contain, lines } = build()
      const work = () => contain.guess('a.b', never())
      const running = contain.run('a.b', 'guard', work, { isVisit: true })
      await vi.advanceTimersByTimeAsync(12_000)
      expect(await running).toMatchObject({ ok: false, isOverloaded: true })
      expect(lines).toEqual([])
    })
  })

  it('is not asked any more after twenty failures, but for one try every 30 seconds', async () => {
    const { contain, clock } = build()
    let asked = 0
    const work = () => {
      asked += 1
      return fails()
    }
    for (let i = 0; i < 30; i++) await contain.run('a.b', 'guard', work)
    expect(asked).toBe(20)
    expect(contain.health()['a.b guard']).toMatchObject({ open: true })

    clock.ms = 30_000
    await contain.run('a.b', 'guard', work)
    await contain.run('a.b', 'guard', work)
    expect(asked).toBe(21)

    clock.ms = 60_000
    expect(await contain.run('a.b', 'guard', () => 'well')).toEqual({ ok: true, value: 'well' })
    expect(contain.health()).toEqual({})
  })

  it('keeps one broken hook apart from the others', async () => {
    const { contain } = build()
    for (let i = 0; i < 25; i++) await contain.run('a.b', 'guard', fails)
    expect(await contain.run('a.b', 'target', () => 1)).toEqual({ ok: true, value: 1 })
    expect(await contain.run('a.c', 'guard', () => 1)).toEqual({ ok: true, value: 1 })
  })
})

describe('a failure', () => {
  it('is told with its part, its link and the stack of what was thrown', async () => {
    const { contain, lines, details } = build()
    const told = { part: 'on.created', account: 7, link: 'lnk_1' }
    await contain.run('a.b', 'on', fails, told)
    expect(lines).toEqual(['a.b on.created failed: boom'])
    expect(details).toEqual([
      {
        feature: 'a.b',
        hook: 'on',
        part: 'on.created',
        link: 'lnk_1',
        failures: 1,
        error: expect.objectContaining({ stack: expect.stringContaining('contain.test.ts') }),
      },
    ])
  })

  it('is told twenty times in 30 seconds, and counted each time', async () => {
    const { contain, lines, clock } = build()
    const visit = () => contain.run('a.b', 'guard', fails, { link: 'lnk_1', isVisit: true })
    for (let i = 0; i < 100; i++) await visit()
    expect(lines).toHaveLength(20)
    expect(contain.health()['a.b guard']).toMatchObject({ failures: 100, open: false })
    clock.ms = 30_000
    await visit()
    expect(lines).toHaveLength(21)
  })

  it('of one account opens nothing for another, and health tells the worst', async () => {
    const { contain } = build()
    const ask = (account: number, work: () => unknown) =>
      contain.run('a.b', 'endpoint', work, { part: 'GET /things', account })
    for (let i = 0; i < 100; i++) await ask(1, fails)
    expect(await ask(1, () => 'well')).toEqual({ ok: false, isUnanswered: true })
    expect(await ask(2, () => 'well')).toEqual({ ok: true, value: 'well' })
    await ask(2, fails)
    expect(contain.health()).toMatchObject({
      'a.b GET /things': { failures: 20, open: true, last: 'boom' },
    })
  })

  it.each([
    ['visits of a link', 'compile', { link: 'lnk_1', isVisit: true }],
    ['visits of a client', 'mount', { client: 'cli_1', isVisit: true }],
    ['requests of an account', 'endpoint', { account: 1 }],
  ] as const)(
    'in %s is told for ten minutes after the last one, and then forgotten',
    async (_, hook, told) => {
      const { contain, clock } = build({ patienceMs: 1 })
      const late = () => contain.run('a.b', hook, () => new Promise(() => undefined), told)
      await Promise.all(Array.from({ length: 20 }, late))
      clock.ms = 300_000
      await late()
      clock.ms = 899_999
      expect(contain.health()).toMatchObject({ [`a.b ${hook}`]: { failures: 21, open: true } })
      clock.ms = 900_000
      expect(contain.health()).toEqual({})
      await late()
      expect(contain.health()).toMatchObject({ [`a.b ${hook}`]: { failures: 1, open: false } })
      clock.ms = 1_500_000
      await late()
      expect(contain.health()).toMatchObject({ [`a.b ${hook}`]: { failures: 1 } })
    },
  )

  it('that is counted for everybody is told until the hook succeeds', async () => {
    const { contain, clock } = build()
    await contain.run('a.b', 'mail', fails)
    clock.ms = 86_400_000
    expect(contain.health()).toMatchObject({ 'a.b mail': { failures: 1 } })
    await contain.run('a.b', 'mail', () => 1)
    expect(contain.health()).toEqual({})
  })

  it('that a visit throws shuts the link for nobody else', async () => {
    const { contain } = build()
    const told = { link: 'lnk_1', isVisit: true }
    for (let i = 0; i < 100; i++) await contain.run('a.b', 'guard', fails, told)
    expect(await contain.run('a.b', 'guard', () => 1, told)).toEqual({ ok: true, value: 1 })
  })

  it('to answer a visit in time gives the hook a rest, on that link alone', async () => {
    vi.useFakeTimers()
    try {
      const { contain } = build()
      const ask = (link: string, work: () => unknown) =>
        contain.run('a.b', 'target', work, { link, isVisit: true })
      const visits = Array.from({ length: 20 }, () =>
        ask('lnk_1', () => new Promise(() => undefined)),
      )
      await vi.advanceTimersByTimeAsync(250)
      await Promise.all(visits)
      expect(await ask('lnk_1', () => 1)).toEqual({ ok: false, isUnanswered: true })
      expect(await ask('lnk_2', () => 1)).toEqual({ ok: true, value: 1 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('of ever new links takes no more memory', async () => {
    const { contain } = build()
    for (let link = 0; link < 5_000; link++) {
      await contain.run('a.b', 'guard', fails, { link: `lnk_${link}`, isVisit: true })
    }
    expect(contain.health()).toMatchObject({ 'a.b guard': { failures: 1, last: 'boom' } })
    expect(Object.keys(contain.health())).toHaveLength(1)
  })
})
