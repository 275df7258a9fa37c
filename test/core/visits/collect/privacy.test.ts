import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import { failWrites } from '../../../fail-writes.ts'
import { bootInFile, dimensions, listeningLog, visitOf } from '../fixtures.ts'

/** Every address as text and as the bytes of its packed form. */
const traces = {
  ipv4: Buffer.from('198.51.100.'),
  ipv6: Buffer.from('2001:db8:'),
  ipv6Packed: Buffer.from('20010db8000000000000', 'hex'),
  userAgent: Buffer.from('AppleWebKit/537.36'),
  model: Buffer.from('SM-G991B'),
  referer: Buffer.from('private-page'),
}

function tracesIn(folder: string): string[] {
  const bytes = readdirSync(folder).map(name => readFileSync(join(folder, name)))
  return Object.entries(traces)
    .filter(([, trace]) => bytes.some(file => file.includes(trace)))
    .map(([name]) => name)
}

function visitorNumber(number: number) {
  return {
    ip: number % 2 ? `198.51.100.${number % 256}` : `2001:db8::${number.toString(16)}`,
    userAgent: `Mozilla/5.0 (Linux; Android 14; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${number}.0.0.0 Mobile Safari/537.36`,
    referer: 'https://example.net/private-page',
    query: `from=campaign${number % 10}`,
  }
}

describe('what is written to disk', () => {
  it('holds no address, no user agent and no referer, neither before folding nor after', async () => {
    const { storage, link, file, db } = await bootInFile()
    const folder = dirname(file)
    const log = listeningLog()
    const recorder = createRecorder({ storage, features: [], dimensions, log })
    const mend = await failWrites(db, 'insert', 'link_totals', 'wait')
    for (let number = 0; number < 10_000; number += 1) {
      recorder.record(visitOf(link, visitorNumber(number)))
    }
    await expect(recorder.catchUp()).rejects.toThrow('wait')
    expect(await db.selectFrom('visit_batches').select('id').execute()).not.toEqual([])
    expect(tracesIn(folder)).toEqual([])

    await mend()
    await recorder.catchUp()
    expect(tracesIn(folder)).toEqual([])

    await recorder.close()
    await storage.close()
    expect(tracesIn(folder)).toEqual([])
    expect(readFileSync(file).includes('campaign7')).toBe(true)
  })

  it('would be found by this test', async () => {
    const { file, db } = await bootInFile()
    await db
      .insertInto('visit_names')
      .values(
        Object.values(visitorNumber(2))
          .concat('198.51.100.9')
          .map(name => ({ name })),
      )
      .execute()
    await db
      .insertInto('visit_batches')
      .values({ packed: Buffer.from('20010db8000000000000000000000001', 'hex') })
      .execute()
    expect(tracesIn(dirname(file))).toEqual(Object.keys(traces))
  })
})
