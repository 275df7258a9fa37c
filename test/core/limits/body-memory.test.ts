import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../../../core/limits/body-memory.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

describe('the memory for bodies', () => {
  it('leaves half of what is free to others, however much one client sends', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const held = Array.from({ length: 40 }, () => memory.begin('a'))
    const refused = held.filter(body => body.hold(mebibyte, 'bytes') !== undefined)
    expect(refused).toHaveLength(24)
    expect(memory.begin('b').hold(8 * mebibyte, 'bytes')).toBeUndefined()
    for (const body of held) body.end()
    expect(memory.begin('a').hold(12 * mebibyte, 'bytes')).toBeUndefined()
  })

  it('has room for others beside two clients that take all they can', () => {
    const memory = createBodyMemory(64 * mebibyte)
    for (const client of ['a', 'b']) {
      const held = memory.begin(client)
      while (held.hold(64 * kibibyte, 'bytes') === undefined);
    }
    for (let client = 0; client < 20; client += 1) {
      expect(memory.begin(`other ${client}`).hold(20 * kibibyte, 'bytes')).toBeUndefined()
    }
  })

  it('leaves a quarter of all to others, however many clients of one network send', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const clients = Array.from({ length: 100 }, (_, at) => memory.begin(`2001:db8:1:${at}::/64`))
    const taken = clients.filter(body => body.hold(mebibyte, 'bytes') === undefined)
    expect(taken).toHaveLength(24)
    const other = memory.begin('2001:db8:2:0::/64')
    expect(other.hold(4 * mebibyte, 'bytes')).toBeUndefined()
    for (const body of [...clients, other]) body.end()
    expect(memory.begin('2001:db8:1:0::/64').hold(16 * mebibyte, 'bytes')).toBeUndefined()
  })

  it('counts what is made of a body', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const fits = (mebibytes: number, kind: 'json' | 'form' | 'bytes') => {
      const held = memory.begin('a')
      const refused = held.hold(mebibytes * mebibyte, kind)
      held.end()
      return refused === undefined
    }
    expect([fits(5, 'json'), fits(6, 'json')]).toEqual([true, false])
    expect([fits(8, 'form'), fits(9, 'form')]).toEqual([true, false])
    expect([fits(16, 'bytes'), fits(17, 'bytes')]).toEqual([true, false])
  })

  it('is never taken in total, however many clients there are, but for bodies as small as a head', () => {
    const memory = createBodyMemory(16 * mebibyte)
    const sent = Array.from({ length: 2_000 }, (_, client) =>
      memory.begin(`${client}`).hold(16 * kibibyte, 'form'),
    )
    expect(sent.filter(refused => refused === undefined).length).toBeLessThan(256)
    expect(sent.at(-1)).toMatchObject({ status: 503, details: { retryAfterSeconds: 2 } })
    expect(memory.begin('late').hold(500, 'json')).toBeUndefined()
  })

  it('counts what has come of a body, once', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const slow = memory.begin('a')
    for (let part = 0; part < 16; part += 1) {
      expect(slow.hold(mebibyte, 'bytes')).toBeUndefined()
    }
    expect(slow.hold(1, 'bytes')).toMatchObject({ status: 503 })
    slow.end()
    expect(memory.begin('a').hold(16 * mebibyte, 'bytes')).toBeUndefined()
  })

  it('counts a body until the work with it ends', async () => {
    const memory = createBodyMemory(64 * mebibyte)
    const { promise, reject } = Promise.withResolvers<void>()
    const held = memory.begin('a')
    held.hold(16 * mebibyte, 'bytes')
    held.until(promise)
    held.end()
    expect(memory.begin('a').hold(mebibyte, 'bytes')).toMatchObject({ status: 503 })
    reject(new Error('too late'))
    await expect(promise).rejects.toThrow()
    await promise.catch(() => undefined)
    expect(memory.begin('a').hold(16 * mebibyte, 'bytes')).toBeUndefined()
  })
})
