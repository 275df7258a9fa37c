import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideSecrets } from '../../../../core/kernel/run/plugin-secrets.ts'

const secret = Buffer.alloc(32, 7)

describe('secrets of a plugin', () => {
  it('are revealed as they were, and look different each time', () => {
    const { hide, reveal } = hideSecrets(secret, 'acme.words')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const hidden = hide(text)
        expect(hide(text)).not.toBe(hidden)
        expect(reveal(hidden)).toBe(text)
      }),
    )
    expect(hide('analytical engine')).not.toContain('analytical')
  })

  it('are nothing to another plugin or instance, nor if a letter was changed', () => {
    const hidden = hideSecrets(secret, 'acme.words').hide('engine')
    expect(hideSecrets(secret, 'acme.other').reveal(hidden)).toBeUndefined()
    expect(hideSecrets(Buffer.alloc(32, 8), 'acme.words').reveal(hidden)).toBeUndefined()
    const { reveal } = hideSecrets(secret, 'acme.words')
    const changed = (hidden.startsWith('A') ? 'B' : 'A') + hidden.slice(1)
    for (const other of [changed, '', 'engine', hidden.slice(0, 20)]) {
      expect(reveal(other)).toBeUndefined()
    }
  })
})
