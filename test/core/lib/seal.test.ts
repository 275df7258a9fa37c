import { expect, it } from 'vitest'
import { newRecipient, sealFor } from '../../../core/lib/seal.ts'

it('what is sealed is read by whom it was sealed for, and by nobody else', () => {
  const [one, other] = [newRecipient(), newRecipient()]
  const sealed = sealFor(one.publicKey, 'grün')
  expect(one.open(sealed)).toBe('grün')
  expect(other.open(sealed)).toBeUndefined()
  expect(sealFor(one.publicKey, 'grün')).not.toBe(sealed)
})

it('what was changed on the way, or is nothing of the kind, is not read', () => {
  const recipient = newRecipient()
  const sealed = sealFor(recipient.publicKey, 'a secret')
  for (const at of [0, 43, 60, sealed.length - 5]) {
    const changed = sealed[at] === 'A' ? 'B' : 'A'
    const other = sealed.slice(0, at) + changed + sealed.slice(at + 1)
    expect(recipient.open(other)).toBeUndefined()
  }
  for (const nothing of ['', 'x', 'A'.repeat(43), 'A'.repeat(200)]) {
    expect(recipient.open(nothing)).toBeUndefined()
  }
  expect(() => sealFor('not a key', 'a secret')).toThrow()
})
