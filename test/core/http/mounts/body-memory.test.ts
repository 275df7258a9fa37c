import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../../../../core/http/mounts/body-memory.ts'

const mebibyte = 1024 * 1024

describe('the memory for bodies', () => {
  it('refuses bodies beyond what all may take, until others are done', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const bodies = ['a', 'b', 'c'].map(client => memory.begin(client))
    const [first, second, third] = bodies
    expect(first?.hold(32 * mebibyte)).toBeUndefined()
    expect(second?.hold(32 * mebibyte)).toBeUndefined()
    expect(third?.hold(16 * 1024)).toBeUndefined()
    expect(third?.hold(1)).toMatchObject({ status: 503 })
    first?.end()
    expect(memory.begin('c').hold(mebibyte)).toBeUndefined()
  })

  it('leaves half to others, however much one client sends', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const held = Array.from({ length: 40 }, () => memory.begin('a'))
    const refused = held.filter(body => body.hold(mebibyte) !== undefined)
    expect(refused).toHaveLength(8)
    expect(memory.begin('b').hold(mebibyte)).toBeUndefined()
    for (const body of held) body.end()
    expect(memory.begin('a').hold(32 * mebibyte)).toBeUndefined()
  })

  it('counts what has come of a body, once', () => {
    const memory = createBodyMemory(64 * mebibyte)
    const slow = memory.begin('a')
    for (let part = 0; part < 32; part += 1) expect(slow.hold(mebibyte)).toBeUndefined()
    expect(slow.hold(1)).toMatchObject({ status: 503 })
    slow.end()
    expect(memory.begin('a').hold(32 * mebibyte)).toBeUndefined()
  })
})
