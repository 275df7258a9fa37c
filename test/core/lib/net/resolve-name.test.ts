import { expect, it } from 'vitest'
import { createAskNameServers, resolveBySystem } from '../../../../core/lib/net/resolve-name.ts'
import { type Answer, type Question, startNameServer } from './name-server.ts'

const never = new AbortController().signal
const four = Buffer.from([192, 0, 2, 1])
const six = Buffer.from([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])

async function ask(host: string, answerTo: (question: Question) => Answer, signal = never) {
  const resolve = createAskNameServers([await startNameServer(answerTo)])
  return resolve(host, signal)
}

it('a name has the addresses of both families', async () => {
  expect(await ask('both.example', ({ type }) => [type === 28 ? six : four])).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

it('a name that has addresses of one family has these', async () => {
  const only = (wanted: number, data: Buffer) =>
    ask('one.example', ({ type }) => (type === wanted ? [data] : []))
  expect(await only(1, four)).toEqual([{ address: '192.0.2.1', family: 4 }])
  expect(await only(28, six)).toEqual([{ address: '2001:db8::1', family: 6 }])
})

it.each([
  ['has no address', [] as const, 'ENODATA'],
  ['does not exist', 3, 'ENOTFOUND'],
  ['has a name server that fails', 2, 'ESERVFAIL'],
])('a name that %s has no addresses, and why is said', async (_, answer, code) => {
  await expect(ask('none.example', () => answer)).rejects.toThrow(code)
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['localhost', '127.0.0.1'],
  ['a.localhost.', '127.0.0.1'],
])('%s is asked of nobody', async (host, address) => {
  const found = await ask(host, () => {
    throw new Error('asked')
  })
  expect(found.map(it => it.address)).toEqual([address])
})

it('names whose servers never answer hold up no other name', async () => {
  const server = await startNameServer(({ name, type }) => {
    if (name.startsWith('slow')) return undefined
    return type === 1 ? [four] : []
  })
  const resolve = createAskNameServers([server])
  const stop = new AbortController()
  let ended = 0
  const slow = Array.from({ length: 100 }, (_, at) =>
    resolve(`slow${at}.example`, stop.signal).catch(() => {
      ended += 1
    }),
  )
  for (let at = 0; at < 20; at += 1) {
    expect(await resolve(`quick${at}.example`, never)).toHaveLength(1)
  }
  expect(ended).toBe(0)
  stop.abort()
  await Promise.all(slow)
  expect(ended).toBe(100)
})

it('a name that the system is asked for is asked for once by all who wait, and again afterwards', async () => {
  const first = resolveBySystem('localhost', never)
  expect(resolveBySystem('localhost', never)).toBe(first)
  await first
  const later = resolveBySystem('localhost', never)
  expect(later).not.toBe(first)
  await later
})
