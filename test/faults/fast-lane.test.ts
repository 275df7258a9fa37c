import { expect, it } from 'vitest'
import { expectSameAnswers } from '../core/http/fast-lane/same-answers.ts'
import { client, get, see } from '../core/http/fast-lane/seen.ts'

it('whatever is sent, the fast lane answers as node:http does, byte for byte', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
  console.log(`FUZZ_SEED=${seed}`)
  expect(await expectSameAnswers({ numRuns: 20_000, seed })).toBeGreaterThan(8_000)
}, 1_800_000)

const requests = 100_000
const answersIn = (text: string) => text.split('HTTP/1.1 302 Found\r\n').length - 1

it('a client that sends sixty requests ahead, again and again, gets all answers', async () => {
  const server = await see({ fastLane: true })
  const { send, socket, said, end } = await client(server)
  await send(get('/code'))
  const answer = said().length
  for (let sent = 0; sent < 6_000; sent += 60) {
    // Now and then a part of the next one comes along.
    const text = get('/code').repeat(60)
    socket.write(text.slice(0, sent % 70))
    socket.write(text.slice(sent % 70))
    await expect.poll(() => said().length).toBe((sent + 61) * answer)
  }
  expect(answersIn(await end())).toBe(6_001)
  expect(server.server.connections().cutOff).toBe(0)
}, 120_000)

it('a client that sends a hundred thousand requests ahead and reads nothing is cut off', async () => {
  const server = await see({ fastLane: true })
  const { send, socket } = await client(server)
  await send(get('/code'))
  socket.pause()
  socket.write(get('/code').repeat(requests))
  await expect.poll(() => server.server.connections()).toMatchObject({ open: 0, cutOff: 1 })
  expect(server.visits.length).toBeLessThan(requests / 2)
}, 120_000)
