import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTickets } from '../../../core/lib/tickets.ts'
import { minute, stoppedClock } from '../accounts/fixtures.ts'

const secret = randomBytes(32)

function tickets(given: { readonly secret?: Buffer; readonly purpose?: string } = {}) {
  const clock = stoppedClock()
  const made = { secret, purpose: 'test', lifeMs: 5 * minute, now: clock.now, ...given }
  return { ...createTickets<{ readonly name: string }>(made), clock }
}

describe('a ticket', () => {
  test('gives back what it was made of, and shows nothing of it', () => {
    const { make, read } = tickets()
    const text = make({ name: 'Ada' })
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('Ada')
    expect(read(text)?.content).toEqual({ name: 'Ada' })
    expect(make({ name: 'Ada' })).not.toBe(text)
    expect(read(make({ name: 'Ada' }))?.id).not.toBe(read(text)?.id)
  })

  test('is over after its life, or at the moment that was given', () => {
    const { make, read, clock } = tickets()
    const [long, short] = [make({ name: '' }), make({ name: '' }, clock.now().getTime() + 1)]
    clock.advance(1)
    expect([read(long) === undefined, read(short) === undefined]).toEqual([false, true])
    clock.advance(5 * minute)
    expect(read(long)).toBeUndefined()
  })

  test('counts as old as it is ahead, once the clock was set back', () => {
    const { make, read, clock } = tickets()
    clock.advance(6 * minute)
    const far = make({ name: '' })
    clock.advance(-2 * minute)
    const near = make({ name: '' })
    clock.advance(-4 * minute)
    expect([read(far) === undefined, read(near) === undefined]).toEqual([true, false])
  })

  test.each([
    ['another purpose', { purpose: 'other' }],
    ['another instance', { secret: randomBytes(32) }],
  ])('is nothing for %s', (_, other) => {
    expect(tickets(other).read(tickets().make({ name: 'Ada' }))).toBeUndefined()
  })

  test('is nothing once a single bit of it was changed, or a part is missing', () => {
    const { make, read } = tickets()
    const whole = Buffer.from(make({ name: 'Ada' }), 'base64url')
    for (const [index, byte] of whole.entries()) {
      const changed = Buffer.from(whole)
      changed[index] = byte ^ 1
      expect(read(changed.toString('base64url'))).toBeUndefined()
      expect(read(whole.subarray(0, index).toString('base64url'))).toBeUndefined()
    }
  })
})
