import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { createResolveTxt } from '../../../../core/lib/net/resolve-txt.ts'

const stop = new AbortController()

/** Ask a name server on this machine, which answers a question with these records and this code. */
async function askOne(records: readonly (readonly string[])[], code = 0) {
  const server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    server.send(answerTo(question, records, code), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return createResolveTxt(stop.signal, resolver)('_linnet.links.example.com')
}

/** RFC 1035, section 4: the question again, with answers that refer to its name. */
function answerTo(question: Buffer, records: readonly (readonly string[])[], code: number): Buffer {
  const end = question.indexOf(0, 12) + 5
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const answers = records.map(parts => {
    const text = Buffer.concat(parts.map(part => Buffer.from([part.length, ...Buffer.from(part)])))
    const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length])
    return Buffer.concat([record, text])
  })
  return Buffer.concat([head, question.subarray(12, end), ...answers])
}

it('looking up TXT records gives every record of a name, whole, however many parts it came in', async () => {
  expect(await askOne([['v=spf1 -all'], ['linnet-verification=', 'abc']])).toEqual([
    'v=spf1 -all',
    'linnet-verification=abc',
  ])
})

it('looking up TXT records finds nothing where there is no such name, and where it has no such record', async () => {
  expect(await askOne([], 3)).toEqual([])
  expect(await askOne([])).toEqual([])
})

it('looking up TXT records fails when the name server does', async () => {
  await expect(askOne([], 2)).rejects.toThrow('ESERVFAIL')
})
