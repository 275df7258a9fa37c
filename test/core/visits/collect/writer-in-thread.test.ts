import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOutOfReach } from '../../../../core/storage/files/out-of-reach.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import { firstOf } from '../../../at-night.ts'
import { patience } from '../../../patience.ts'
import { bootInFile, countsIn, listeningLog, totalsIn, usageIn, visitOf } from '../fixtures.ts'

/** Within the project, so that the program finds its packages. */
const folder = mkdtempSync(resolve('node_modules/.dying-thread-'))
const workerUrl = pathToFileURL(join(folder, 'dying-thread.js'))

beforeAll(async () => {
  await build({
    entry: [resolve('test/core/visits/dying-thread.ts')],
    outDir: folder,
    format: 'esm',
    config: false,
    silent: true,
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a recorder thread', () => {
  it.each(firstOf(1, ['die after', 'die before', 'live']))(
    'counts every visit once, told to %s a batch is stored',
    async fate => {
      const linnet = await bootInFile()
      const log = listeningLog()
      const recorder = createRecorder({
        storage: linnet.storage,
        features: [fate],
        dimensions: [],
        workerUrl,
        log,
        intervalMs: 60_000,
        fullBatch: 3,
      })
      for (let visit = 0; visit < 20; visit += 1) recorder.record(visitOf(linnet.link))
      if (fate !== 'live') {
        await expect(recorder.catchUp()).rejects.toThrow('The recorder thread ended')
      }
      await recorder.catchUp()

      expect(existsSync(`${linnet.file}.died`)).toBe(fate !== 'live')
      expect(await countsIn(linnet.db)).toEqual(['visits 20'])
      expect(await totalsIn(linnet.db)).toEqual({ [linnet.link.id]: 20 })
      expect(await usageIn(linnet.db)).toEqual({ '2026-11': 20 })
      expect(recorder.health()).toMatchObject({ queued: 0, dropped: 0, failing: undefined })
      expect(await recorder.close()).toEqual({ lost: 0 })
    },
  )

  it('tells what a dimension fails of, with the stack, once in a while', async () => {
    const linnet = await bootInFile()
    const told: unknown[] = []
    const error = (message: string, fields?: Readonly<Record<string, unknown>>) =>
      told.push([message, fields])
    const failing = {
      ...{ name: 'failing', feature: 'a.counts', label: 'Failing', total: true as const },
      of: () => '',
    }
    const recorder = createRecorder({
      storage: linnet.storage,
      features: ['fail'],
      dimensions: [failing],
      workerUrl,
      log: { ...listeningLog(), error },
    })
    const owner = { ...linnet.link.owner, collect: ['visits', 'failing'] }
    for (const _ of 'ab') {
      recorder.record(visitOf({ ...linnet.link, owner }))
      await recorder.catchUp()
    }
    expect(told).toEqual([
      [
        'a.counts dimensions.failing.of failed: no idea',
        {
          feature: 'a.counts',
          hook: 'dimensions',
          part: 'failing.of',
          error: expect.objectContaining({ stack: expect.stringMatching(/no idea\n\s+at \S*of /) }),
        },
      ],
    ])
    expect(recorder.health().failedDimensions).toEqual({ failing: 2 })
    await recorder.close()
  })

  it('says that the database server is away as this thread would, so that the log says it once a minute', async () => {
    const { storage, link } = await bootInFile()
    const recorder = createRecorder({
      storage,
      features: ['away'],
      dimensions: [],
      workerUrl,
      log: listeningLog(),
    })
    recorder.record(visitOf(link))
    const error = await recorder.catchUp().catch((error: unknown) => error)
    expect([String(error), isOutOfReach(error)]).toEqual(['Error: no connection', true])
    await recorder.close(0)
  })

  it('is ended when a plugin does not answer it, and the next goes on without that plugin', async () => {
    const linnet = await bootInFile()
    const told: unknown[] = []
    const error = (message: string, fields?: Readonly<Record<string, unknown>>) =>
      told.push([message, fields?.feature])
    const loops = { name: 'looping', feature: 'acme.loops', label: 'Looping', of: () => '' }
    const counted = {
      features: ['live'],
      outside: [{ feature: 'acme.loops', url: '', dimensions: ['looping'] }],
      dimensions: [loops],
    }
    const recorder = createRecorder({
      ...counted,
      storage: linnet.storage,
      workerUrl,
      log: { ...listeningLog(), error },
      intervalMs: 60_000,
      lookMs: 20,
    })
    const owner = { ...linnet.link.owner, collect: ['visits', 'looping'] }
    const visit = () => recorder.record(visitOf({ ...linnet.link, owner }))
    const why = 'dimensions.looping.of did not answer within 0.1 s'
    for (const _ of 'abc') visit()
    await expect(recorder.catchUp()).rejects.toThrow(`acme.loops ${why}`)
    await recorder.catchUp()
    visit()
    await recorder.catchUp()
    expect(await countsIn(linnet.db)).toEqual(['visits 4'])
    const rest = 'and is not called again until plugins change'
    expect(told).toContainEqual([
      `acme.loops dimensions.looping.of failed: ${why}, ${rest}`,
      'acme.loops',
    ])
    expect(recorder.health()).toMatchObject({ dropped: 0, failedDimensions: { looping: 4 } })

    const change = await recorder.prepare(counted)
    change()
    visit()
    await expect(recorder.catchUp()).rejects.toThrow(`acme.loops ${why}`)
    const without = await recorder.prepare({ ...counted, outside: [] })
    without()
    await recorder.catchUp()
    expect(await countsIn(linnet.db)).toEqual(['visits 5'])
    expect(await recorder.close()).toEqual({ lost: 0 })
  })

  it.each(
    firstOf(1, [
      ['gives up plugins that load for ever', 'load for ever', ['visits 1']],
      ['waits for no plugin', 'live', ['visits 1']],
      ['does not blame a plugin for its own slow start', 'start slowly', ['looping 1', 'visits 1']],
    ] as const),
  )('that is to close %s, and loses no visit by it', async (_, how, counted) => {
    const linnet = await bootInFile()
    const recorder = createRecorder({
      features: [how],
      outside: [{ feature: 'acme.loops', url: '', dimensions: ['looping'] }],
      dimensions: [],
      storage: linnet.storage,
      workerUrl,
      log: listeningLog(),
      intervalMs: 60_000,
      lookMs: 60_000,
    })
    const owner = { ...linnet.link.owner, collect: ['visits', 'looping'] }
    recorder.record(visitOf({ ...linnet.link, owner }))
    expect(await recorder.close(patience.testTimeout)).toEqual({ lost: 0 })
    expect(await countsIn(linnet.db)).toEqual(counted)
  })

  it('names the links that were visited to who wants to know', async () => {
    const linnet = await bootInFile()
    const told: unknown[] = []
    const recorder = createRecorder({
      storage: linnet.storage,
      features: ['live'],
      dimensions: [],
      workerUrl,
      log: listeningLog(),
      onVisited: visits => told.push(visits),
    })
    for (const _ of 'ab') recorder.record(visitOf(linnet.link))
    await recorder.catchUp()
    expect(told).toEqual([
      [{ linkId: linnet.link.id, accountId: linnet.link.owner.accountId, visits: 2 }],
    ])
    await recorder.close()
  })

  it('that cannot start shows as a failure, and no visit is lost before the bound', async () => {
    const linnet = await bootInFile()
    const recorder = createRecorder({
      storage: linnet.storage,
      features: [],
      dimensions: [],
      workerUrl: pathToFileURL(join(folder, 'missing.js')),
      log: listeningLog(),
    })
    recorder.record(visitOf(linnet.link))
    await expect(recorder.catchUp()).rejects.toThrow(/The recorder thread died: .*missing\.js/)
    expect(recorder.health()).toMatchObject({
      queued: 1,
      failing: expect.stringContaining('missing.js'),
    })
    expect(await recorder.close(0)).toEqual({ lost: 1 })
  })

  it('that used up its memory says so', async () => {
    const linnet = await bootInFile()
    const code = `throw Object.assign(new Error('Worker terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })`
    const recorder = createRecorder({
      storage: linnet.storage,
      features: [],
      dimensions: [],
      workerUrl: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
      log: listeningLog(),
    })
    recorder.record(visitOf(linnet.link))
    await expect(recorder.catchUp()).rejects.toThrow(/MiB of memory were used up/)
    expect(recorder.health().failing).toMatch(/^The recorder thread died: its \d+ MiB of memory/)
    await recorder.close(0)
  })

  it('counts something else from the next batch on, and loses no visit by it', async () => {
    const linnet = await bootInFile()
    const recorder = createRecorder({
      storage: linnet.storage,
      features: ['live'],
      dimensions: [],
      workerUrl,
      log: listeningLog(),
      intervalMs: 1,
      fullBatch: 3,
    })
    const owner = { ...linnet.link.owner, collect: ['visits', 'failing'] }
    const record = () => recorder.record(visitOf({ ...linnet.link, owner }))
    for (let visit = 0; visit < 10; visit += 1) record()
    const change = await recorder.prepare({ features: ['fail'], dimensions: [] })
    for (let visit = 0; visit < 10; visit += 1) record()
    await recorder.catchUp()
    expect(recorder.health().failedDimensions).toEqual({})
    change()
    for (let visit = 0; visit < 10; visit += 1) record()
    await recorder.catchUp()
    expect(recorder.health().failedDimensions).toEqual({ failing: 10 })
    expect(await countsIn(linnet.db)).toEqual(['visits 30'])
    expect(await recorder.close()).toEqual({ lost: 0 })
  })

  it.each(
    firstOf(1, [
      ['hang', 200, 'the counting thread did not load it within 0.2 seconds'],
      ['boom', 300_000, 'boom'],
    ] as const),
  )('that cannot read what to count, as %s, goes on as before', async (feature, prepareMs, why) => {
    const linnet = await bootInFile()
    const recorder = createRecorder({
      storage: linnet.storage,
      features: ['live'],
      dimensions: [],
      workerUrl,
      log: listeningLog(),
      prepareMs,
    })
    await expect(recorder.prepare({ features: [feature], dimensions: [] })).rejects.toThrow(why)
    recorder.record(visitOf(linnet.link))
    await recorder.catchUp()
    expect(await countsIn(linnet.db)).toEqual(['visits 1'])
    await recorder.close()
  })
})
