import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHider } from '../../../core/lib/encrypt.ts'

const secret = Buffer.alloc(32, 7)

describe('what is hidden', () => {
  it('is revealed as it was, and looks different each time', () => {
    const { hide, reveal } = createHider(secret, 'plugin acme.words')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const hidden = hide(text)
        expect(hide(text)).not.toBe(hidden)
        expect(reveal(hidden)).toBe(text)
      }),
    )
    expect(hide('analytical engine')).not.toContain('analytical')
  })

  it('is nothing for another purpose or to another instance, nor if a letter was changed', () => {
    const hidden = createHider(secret, 'plugin acme.words').hide('engine')
    expect(createHider(secret, 'plugin acme.other').reveal(hidden)).toBeUndefined()
    expect(createHider(Buffer.alloc(32, 8), 'plugin acme.words').reveal(hidden)).toBeUndefined()
    const { reveal } = createHider(secret, 'plugin acme.words')
    const changed = (hidden.startsWith('A') ? 'B' : 'A') + hidden.slice(1)
    for (const other of [changed, '', 'engine', hidden.slice(0, 20)]) {
      expect(reveal(other)).toBeUndefined()
    }
  })
})
