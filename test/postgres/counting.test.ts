import { describe, expect, it, onTestFinished } from 'vitest'
import type { Storage } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { rememberMinutes } from '../../core/visits/collect/recent-visits.ts'
import { createRecorder } from '../../core/visits/collect/recorder.ts'
import { writeHere } from '../../core/visits/collect/visit-writer.ts'
import { createMarker } from '../../core/visits/count/marker.ts'
import { otherValue } from '../../core/visits/facts/dimensions.ts'
import { placeUnknown } from '../../core/visits/facts/place.ts'
import { createFold } from '../../core/visits/fold/fold.ts'
import { maxValuesADay } from '../../core/visits/fold/value-cap.ts'
import { itAtNight } from '../at-night.ts'
import {
  addAccount,
  addLink,
  batchOf,
  countsIn,
  dimensions,
  listeningLog,
  totalsIn,
  usageIn,
  visitOf,
} from '../core/visits/fixtures.ts'
import { expectAllBrought, folderWithImporter, importAll, links } from '../e2e/imports.ts'
import { createLink, type Server as Node, serve } from '../e2e/server.ts'
import { url } from './own-server.ts'

type Served = Node & { readonly databaseUrl: string }

/** Opens this many server connections to one new database; they close after the test. */
async function openSeveral(count: number): Promise<readonly Storage[]> {
  const storages: Storage[] = []
  for (let at = 0; at < count; at += 1) storages.push(await openDatabase({ url }, {}))
  onTestFinished(async () => {
    await Promise.all(storages.map(it => it.close()))
  })
  return storages
}

const patiently = { interval: 100 }

const [first, second] = ['2026-11-20T12:00:00.000Z.a', '2026-11-20T13:00:00.000Z.b']

function writerOn({ db }: Storage, run: string) {
  const [minutes, markOf] = [rememberMinutes(), createMarker()]
  const namesVisited = false
  return writeHere(db, { dimensions, placeOf: placeUnknown, markOf, run, minutes, namesVisited })
}

describe('three servers', () => {
  it('count each visit once, while all of them store and fold at once', async () => {
    const storages = await openSeveral(3)
    const [{ db }] = storages as [Storage]
    const owner = await addAccount(db)
    const links = []
    for (let at = 0; at < 5; at += 1) links.push(await addLink(db, owner))
    const log = listeningLog()
    const recorders = storages.map(storage =>
      createRecorder({ storage, features: [], dimensions, log, fullBatch: 20, intervalMs: 1 }),
    )
    for (let round = 0; round < 12; round += 1) {
      for (const recorder of recorders) {
        for (let at = 0; at < 50; at += 1) {
          const link = links[at % links.length]
          if (link) recorder.record(visitOf(link, { query: `from=${at % 3}` }))
        }
      }
      await Promise.all(recorders.map(recorder => recorder.catchUp()))
    }
    await Promise.all(recorders.map(recorder => recorder.close()))

    expect(log.lines).toEqual([])
    const total = 3 * 12 * 50
    expect(await usageIn(db)).toEqual({ [new Date().toISOString().slice(0, 7)]: total })
    expect(await totalsIn(db)).toEqual(
      Object.fromEntries(links.map(({ id }) => [id, total / links.length])),
    )
    expect(await countsIn(db)).toEqual(
      expect.arrayContaining([`visits ${total}`, `overTime ${total}`]),
    )
  })

  it('know a batch that is sent again, also after another server has ended', async () => {
    const [one, other] = (await openSeveral(2)) as [Storage, Storage]
    const link = await addLink(one.db, await addAccount(one.db))
    const batch = batchOf([visitOf(link), visitOf(link)])
    const writer = writerOn(one, first)
    await writer.store(1, batch)
    await writerOn(other, second).close()
    await writer.store(1, batch)
    await writer.fold()
    expect(await totalsIn(one.db)).toEqual({ [link.id]: 2 })
    // Another batch with the same visits is one more.
    await writer.store(2, batch)
    await writerOn(other, second).fold()
    expect(await totalsIn(one.db)).toEqual({ [link.id]: 4 })
  })

  it('leave a round to whoever got further with it, and count nothing twice', async () => {
    const [one, other] = (await openSeveral(2)) as [Storage, Storage]
    const owner = await addAccount(one.db)
    const links = [
      await addLink(one.db, owner),
      await addLink(one.db, owner),
      await addLink(one.db, owner),
    ]
    await writerOn(one, first).store(1, batchOf(links.map(link => visitOf(link))))
    const [foldOne, foldOther] = [one, other].map(({ db }) => createFold(db, { workASlice: 1 }))
    expect(await foldOne?.()).toEqual({ done: false, upTo: 0 })
    expect(await foldOther?.()).toEqual({ done: false, upTo: 0 })
    expect(await foldOne?.()).toEqual({ done: false, upTo: 0, isElsewhere: true })
    while (!(await foldOther?.())?.done);
    expect(await foldOne?.()).toEqual({ done: true, upTo: 0 })
    expect(await totalsIn(one.db)).toEqual(Object.fromEntries(links.map(({ id }) => [id, 1])))
  })

  it('keep to the values of a day that are kept apart, all together', async () => {
    const storages = (await openSeveral(2)) as [Storage, Storage]
    const { db } = storages[0]
    const link = await addLink(db, await addAccount(db))
    const [one, other] = [writerOn(storages[0], first), writerOn(storages[1], second)]
    let made = 0
    for (const [sequence, writer] of [one, other, one, other].entries()) {
      const visits = Array.from({ length: 400 }, () => {
        made += 1
        return visitOf(link, { query: `from=${made}` })
      })
      // By robots too: a link with few visits has room for all their values.
      const before = Array.from({ length: sequence === 0 ? 1_100 : 0 }, () => visitOf(link))
      await writer.store(sequence + 1, batchOf([...before, ...visits]))
      while (!(await writer.fold()).done);
    }
    const values = (await countsIn(db)).filter(it => it.startsWith('from='))
    const rest = values.filter(it => it.startsWith(`from=${otherValue} `))
    expect(values.length - rest.length).toBe(maxValuesADay)
    expect(rest).toEqual([`from=${otherValue} ${made - maxValuesADay}`])
  })
})

describe('two servers that import the same visits at once', () => {
  itAtNight('count each of them once, also after one of them was killed', async () => {
    const env = { DATABASE_URL: url }
    const [one, other] = [
      await serve({ env, dataDir: folderWithImporter() }),
      await serve({ env, dataDir: folderWithImporter(), admin: false }),
    ]
    let steps = 0
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    const cut = importAll(one, () => {
      steps += 1
      if (steps === links) resolve()
    }).catch(() => undefined)
    const whole = importAll(other)
    await isTime
    await one.kill('SIGKILL')
    await Promise.all([cut, whole])
    await expectAllBrought(other)
    const again = await serve({ env, dataDir: one.dataDir, admin: false })
    await importAll(again)
    await Promise.all([again, other].map(expectAllBrought))
  })
})

describe('a server that is killed', () => {
  it('leaves what it stored to the others, who count it once', async () => {
    const nodes = await serveSeveral(3)
    const [killed, other, last] = nodes
    if (!(killed && other && last)) throw new Error('Three were to serve.')
    const { db, close } = await openDatabase({ url: killed.databaseUrl }, {})
    onTestFinished(close)
    const { id, shortCode } = await createLink(other)
    const visitAll = async (on: readonly Node[], times: number) => {
      for (let time = 0; time < times; time += 1) {
        const answers = await Promise.all(on.map(node => node.get(`/${shortCode}`)))
        expect(answers.map(({ status }) => status)).toEqual(on.map(() => 302))
      }
    }
    // Stored visits are folded five seconds later.
    const isStored = (visits: number) =>
      expect.poll(async () => Object.values(await usageIn(db)), patiently).toEqual([visits])
    const isCounted = async (node: Node, visits: number) => {
      const total = async () => (await node.api('GET', `/links/${id}`)).body.data.visits.total
      await expect.poll(total, patiently).toBe(visits)
    }
    await visitAll(nodes, 40)
    await isStored(120)
    await killed.kill('SIGKILL')
    await isCounted(other, 120)
    await isCounted(last, 120)

    // The other servers get no news that would make them look.
    const env = { DATABASE_URL: killed.databaseUrl }
    const again = await serve({ env, admin: false, dataDir: killed.dataDir })
    await isCounted(again, 120)
    await visitAll([again], 5)
    await isStored(125)
    await again.kill('SIGKILL')
    await isCounted(last, 125)
  })
})

describe('a server that is killed soon after its start', () => {
  it('has stored visits from the first moment on, even if another server is silent', async () => {
    // It is on the database, but does not tell the salt of the day.
    const silent = await openDatabase({ url }, { serves: true })
    onTestFinished(() => silent.close())
    const env = { DATABASE_URL: url }
    const server = await serve({ env })
    const { id, shortCode } = await createLink(server)
    const visits = 20
    for (let visit = 0; visit < visits; visit += 1) await server.get(`/${shortCode}`)
    await expect.poll(async () => Object.values(await usageIn(silent.db))).toEqual([visits])
    await server.kill('SIGKILL')

    const restarted = await serve({ env, admin: false, dataDir: server.dataDir })
    const stored = async () => (await restarted.api('GET', `/links/${id}`)).body.data.visits.total
    await expect.poll(stored).toBe(visits)
  })
})

describe('a limit of visits', () => {
  it('lets through as many as it says, on three servers together', async () => {
    const nodes = await serveSeveral(3)
    const [node] = nodes
    if (!node) throw new Error('Three were to serve.')
    const limit = 12
    const limited = await createLink(node, { max_visits: limit })
    const open = await createLink(node)
    const visit = async (code: string) => {
      const asked = nodes.flatMap(it => Array.from({ length: limit }, () => it.get(`/${code}`)))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      return (wanted: number) => statuses.filter(status => status === wanted).length
    }
    const had = await visit(limited.shortCode)
    expect(had(302)).toBeLessThanOrEqual(limit)
    // A visitor who got no answer in time used up a visit.
    expect(had(302) + had(503)).toBeGreaterThanOrEqual(limit)
    expect((await visit(limited.shortCode))(302)).toBe(0)
    expect((await visit(open.shortCode))(302)).toBe(nodes.length * limit)
  })
})

async function serveSeveral(count: number): Promise<readonly Served[]> {
  const databaseUrl = url
  const nodes = []
  for (let at = 0; at < count; at += 1) {
    const node = await serve({ env: { DATABASE_URL: databaseUrl }, admin: at === 0 })
    onTestFinished(async () => void (await node.kill('SIGKILL')))
    nodes.push({ ...node, databaseUrl })
  }
  return nodes
}
