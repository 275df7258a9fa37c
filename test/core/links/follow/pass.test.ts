import { describe, expect, it } from 'vitest'
import { createPassKeeper } from '../../../../core/links/follow/pass.ts'

const clock = { now: new Date('2026-11-20T12:00:00Z') }
const passes = createPassKeeper(Buffer.alloc(32, 1), () => clock.now)
const link = { linkId: 'lnk_a', version: 1 }
const pass = { asked: 'a.two', satisfied: ['a.one'] }

describe('a pass', () => {
  it('says what was signed', () => {
    expect(passes.read(passes.sign(pass, link), link)).toMatchObject(pass)
  })

  it('is void after ten minutes', () => {
    const text = passes.sign(pass, link)
    clock.now = new Date('2026-11-20T12:10:00Z')
    expect(passes.read(text, link)).toBeUndefined()
  })

  it('is void after a change to its link, and for any other link', () => {
    const text = passes.sign(pass, link)
    expect(passes.read(text, { linkId: 'lnk_a', version: 2 })).toBeUndefined()
    expect(passes.read(text, { linkId: 'lnk_b', version: 1 })).toBeUndefined()
  })

  it('is void when it was made or changed by somebody else', () => {
    const other = createPassKeeper(Buffer.alloc(32, 2), () => clock.now)
    const text = passes.sign(pass, link)
    const middle = text.length >> 1
    const changed = `${text.slice(0, middle)}${text[middle] === 'a' ? 'b' : 'a'}${text.slice(middle + 1)}`
    for (const text of [other.sign(pass, link), changed, 'x', '.', 'a.b', undefined]) {
      expect(passes.read(text, link)).toBeUndefined()
    }
  })
})
