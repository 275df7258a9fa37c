import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectSameAnswers } from '../core/http/fast-lane/same-answers.ts'
import { client, get, see } from '../core/http/fast-lane/seen.ts'

it('whatever is sent, the fast lane answers as node:http does, byte for byte', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
  console.log(`FUZZ_SEED=${seed}`)
  expect(await expectSameAnswers({ numRuns: 20_000, seed })).toBeGreaterThan(8_000)
}, 1_800_000)

it('reads no more from who does not read, and then answers everything', async () => {
  const requests = 100_000
  const server = await see({ fastLane: true })
  const { send, socket, end } = await client(server)
  await send(get('/code'))
  socket.pause()
  socket.write(get('/code').repeat(requests))
  let before = -1
  // The buffers of the operating system fill up.
  while (server.visits.length > before) {
    before = server.visits.length
    for (let turns = 0; turns < 200; turns += 1) await turn()
  }
  expect(before).toBeLessThan(requests)
  socket.resume()
  expect((await end()).split('HTTP/1.1 302 Found\r\n')).toHaveLength(requests + 2)
  expect(server.visits).toHaveLength(requests + 1)
}, 120_000)
