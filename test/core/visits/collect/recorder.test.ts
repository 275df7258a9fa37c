import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { createRecorder, type RecorderOptions } from '../../../../core/visits/collect/recorder.ts'
import { tries } from '../../../at-night.ts'
import { failWrites } from '../../../fail-writes.ts'
import {
  addLink,
  bootInFile,
  bootInMemory,
  countsIn,
  dimensions,
  hourMs,
  type Instance,
  listeningLog,
  noon,
  robot,
  totalsIn,
  usageIn,
  visitOf,
} from '../fixtures.ts'

/** A recorder that does nothing by itself within the time of a test. */
function recorderFor(
  { storage }: Pick<Instance, 'storage'>,
  options: Partial<RecorderOptions> = {},
) {
  const log = listeningLog()
  const recorder = createRecorder({
    storage,
    features: [],
    dimensions,
    log,
    intervalMs: 60_000,
    ...options,
  })
  onTestFinished(async () => {
    await recorder.close()
  })
  return { ...recorder, log }
}

async function breakTable(db: Database, table: string): Promise<() => Promise<unknown>> {
  return failWrites(db, 'insert', table)
}

describe('the recorder', () => {
  it('has everything that was recorded before in the counts when it is settled', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, health } = recorderFor(linnet, { fullBatch: 10 })
    for (let visit = 0; visit < 25; visit += 1) record(visitOf(linnet.link, { query: 'from=a' }))
    expect(health().queued).toBe(25)
    await catchUp()
    expect(await countsIn(linnet.db)).toEqual(['from=a 25', 'overTime 25', 'visits 25'])
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 25 })
    expect(health()).toEqual({
      queued: 0,
      dropped: 0,
      isMemoryShort: false,
      failing: undefined,
      failedDimensions: {},
    })
  })

  it('tells of each batch, once it is stored, how many visits each link had', async () => {
    const linnet = await bootInMemory()
    const told: unknown[] = []
    const { record, catchUp } = recorderFor(linnet, { onVisited: visits => told.push(visits) })
    record(visitOf(linnet.link))
    record(visitOf(linnet.link, { userAgent: robot }))
    await catchUp()
    record(visitOf(linnet.link, { userAgent: robot }))
    await catchUp()
    expect(told).toEqual([
      [{ linkId: linnet.link.id, accountId: linnet.link.owner.accountId, visits: 1 }],
    ])
  })

  it('stores visits also when who is told of them throws', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, log } = recorderFor(linnet, {
      onVisited: () => {
        throw new Error('not now')
      },
    })
    record(visitOf(linnet.link))
    await catchUp()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 1 })
    expect(log.lines).toEqual(['Visits were stored, but a listener for visits failed.'])
  })

  it('counts how often each dimension threw', async () => {
    const linnet = await bootInMemory()
    const broken = {
      name: 'from',
      label: 'From',
      of: () => {
        throw new Error('no idea')
      },
    }
    const { record, catchUp, health } = recorderFor(linnet, {
      dimensions: [...dimensions.slice(0, 3), broken],
    })
    for (const _ of 'ab') {
      record(visitOf(linnet.link))
      await catchUp()
    }
    expect(health().failedDimensions).toEqual({ from: 2 })
    expect(await countsIn(linnet.db)).toEqual(['overTime 2', 'visits 2'])
  })

  it('drops visits past the bound, and stored and dropped are all there were', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, close, health, log } = recorderFor(linnet, { maxQueued: 7 })
    for (let visit = 0; visit < 20; visit += 1) record(visitOf(linnet.link))
    expect(health()).toMatchObject({ queued: 7, dropped: 13 })
    await catchUp()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 7 })
    await close()
    expect(log.lines).toEqual([
      'Visits come faster than they can be stored, so some are dropped',
      'No more visits are dropped: 13 since this began',
    ])
  })

  it('drops visits beyond the bytes that may wait', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, health } = recorderFor(linnet, { maxQueuedBytes: 10_000 })
    for (let visit = 0; visit < 100; visit += 1) {
      record({ ...visitOf(linnet.link), query: 'x'.repeat(2_000) })
    }
    expect(health()).toMatchObject({ queued: 5, dropped: 95 })
    await catchUp()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 5 })
  })

  it('counts no visit while memory is short, says so, and counts them again afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const linnet = await bootInMemory()
    let bytes = 50
    const memory = { shortBytes: 100 * 2 ** 20, inUse: () => bytes * 2 ** 20 }
    const { record, catchUp, health, isBehind, log } = recorderFor(linnet, { memory })
    const visitAt = (mebibytes: number) => {
      bytes = mebibytes
      vi.advanceTimersByTime(500)
      record(visitOf(linnet.link))
      return health().isMemoryShort
    }
    // It is enough again once a tenth less is in use.
    expect([50, 101, 95, 85].map(visitAt)).toEqual([false, true, true, false])
    expect([health().dropped, isBehind()]).toEqual([2, false])
    await catchUp()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 2 })
    expect(log.lines).toEqual([
      'Memory is short: 101 MiB are in use. Visits are not counted now',
      'Memory is no longer short: 2 visits not counted',
    ])
  })

  it('folds what an earlier run stored and did not fold', async () => {
    const linnet = await bootInMemory()
    const repair = await breakTable(linnet.db, 'link_counts')
    const earlier = recorderFor(linnet)
    earlier.record(visitOf(linnet.link))
    await expect(earlier.catchUp()).rejects.toThrow('disk full')
    await earlier.close()
    await repair()
    await recorderFor(linnet).catchUp()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 1 })
  })

  it('stores and folds the rest when it is closed, and leaves nothing of its own behind', async () => {
    const linnet = await bootInMemory()
    const { record, close, health } = recorderFor(linnet)
    record(visitOf(linnet.link))
    const closed = close()
    record(visitOf(linnet.link))
    expect(await closed).toEqual({ lost: 0 })
    expect(health()).toMatchObject({ queued: 0, dropped: 1 })
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 1 })
    const marks = await linnet.db
      .selectFrom('meta')
      .select('key')
      .where('key', 'like', 'recorder%')
      .execute()
    expect(marks).toEqual([])
  })
})

describe('when the database fails', () => {
  it('visits that cannot be stored are kept, and the fault shows until they are', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, health, log } = recorderFor(linnet, { fullBatch: 2 })
    const repair = await breakTable(linnet.db, 'visit_batches')
    for (const from of 'abcde') record(visitOf(linnet.link, { query: `from=${from}` }))
    await expect(catchUp()).rejects.toThrow('disk full')
    await expect(catchUp()).rejects.toThrow('disk full')
    expect(health()).toMatchObject({ queued: 5, dropped: 0, failing: 'disk full' })

    await repair()
    await catchUp()
    expect(health()).toMatchObject({ queued: 0, failing: undefined })
    expect(await countsIn(linnet.db)).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map(from => `from=${from} 1`),
      'overTime 5',
      'visits 5',
    ])
    expect(await usageIn(linnet.db)).toEqual({ '2026-11': 5 })
    expect(log.lines).toEqual([
      'Visits cannot be stored. They are kept in memory and retried.',
      'Visits are stored again.',
    ])
  })

  it('visits that cannot be folded are stored, and folded once when they can be', async () => {
    const linnet = await bootInMemory()
    const { record, catchUp, health } = recorderFor(linnet)
    const repair = await breakTable(linnet.db, 'link_totals')
    record(visitOf(linnet.link))
    await expect(catchUp()).rejects.toThrow('disk full')
    await expect(catchUp()).rejects.toThrow('disk full')
    expect(health()).toMatchObject({ queued: 0, failing: 'disk full' })

    await repair()
    await catchUp()
    expect(health().failing).toBeUndefined()
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 1 })
  })

  it('a write lock of somebody else is waited for', async () => {
    const linnet = await bootInFile()
    const { record, catchUp } = recorderFor(linnet)
    const other = new BetterSqlite3(linnet.file)
    other.exec('begin immediate')
    record(visitOf(linnet.link))
    const settled = catchUp()
    // The next turn of the event loop: the recorder has met the lock by then.
    await new Promise(resolve => setImmediate(resolve))
    other.exec('rollback')
    other.close()
    await settled
    expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 1 })
  })
})

describe('the counts', () => {
  it('agree with each other and with what was recorded, also over failures and restarts', async () => {
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          link: fc.nat(2),
          hour: fc.nat(30),
          from: fc.nat(3),
          by: fc.constantFrom('person', 'robot', 'private'),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom('catchUp' as const, 'fail' as const, 'restart' as const),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const linnet = await bootInMemory()
        const links = [
          linnet.link,
          await addLink(linnet.db, linnet.owner),
          await addLink(linnet.db, linnet.owner),
        ]
        let recorder = recorderFor(linnet, { fullBatch: 4 })
        const expected = { person: 0, robot: 0, private: 0 }
        for (const it of steps) {
          if (it === 'catchUp') await recorder.catchUp()
          else if (it === 'fail') {
            const repair = await breakTable(linnet.db, 'link_counts')
            await recorder.catchUp().catch(error => expect(error.message).toBe('disk full'))
            await repair()
          } else if (it === 'restart') {
            await recorder.close()
            recorder = recorderFor(linnet, { fullBatch: 4 })
          } else {
            const link = links[it.link] ?? linnet.link
            expected[it.by] += 1
            recorder.record(
              visitOf(link, {
                at: noon + it.hour * hourMs,
                query: `from=${it.from}`,
                totalsOnly: it.by === 'private',
                ...(it.by === 'robot' ? { userAgent: robot } : {}),
              }),
            )
          }
        }
        await recorder.catchUp()

        const people = expected.person + expected.private
        const sum = (lines: readonly string[]) =>
          lines.reduce((total, line) => total + Number(line.split(' ')[1]), 0)
        const counts = await countsIn(linnet.db)
        expect(sum(counts.filter(line => line.startsWith('visits ')))).toBe(people)
        expect(sum(counts.filter(line => line.startsWith('overTime ')))).toBe(people)
        expect(sum(counts.filter(line => line.startsWith('from=')))).toBe(expected.person)
        expect(sum(counts.filter(line => line.startsWith('bots ')))).toBe(expected.robot)
        expect(Object.values(await totalsIn(linnet.db)).reduce((a, b) => a + b, 0)).toBe(people)
        expect(Object.values(await usageIn(linnet.db)).reduce((a, b) => a + b, 0)).toBe(people)
      }),
      tries(40),
    )
  })

  it('of links that were never visited are not there', async () => {
    const linnet = await bootInMemory()
    const { catchUp } = recorderFor(linnet)
    await catchUp()
    expect([await totalsIn(linnet.db), await countsIn(linnet.db)]).toEqual([{}, []])
  })

  it('are in the file and outlive its closing', async () => {
    const linnet = await bootInFile()
    const { record, close } = recorderFor(linnet)
    record(visitOf(linnet.link))
    await close()
    await linnet.storage.close()
    const reopened = await openSqlite(linnet.file)
    expect(await totalsIn(reopened.db)).toEqual({ [linnet.link.id]: 1 })
    await reopened.close()
  })
})
