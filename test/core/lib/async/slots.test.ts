import { describe, expect, it } from 'vitest'
import { Overloaded } from '../../../../core/lib/async/bounded-queue.ts'
import { createSlots } from '../../../../core/lib/async/slots.ts'

/** As much work of a client as it may begin, which lasts until `end`. */
function fill(slots: ReturnType<typeof createSlots>, client: string, tries: number) {
  const ends = Promise.withResolvers<void>()
  let begun = 0
  const work = () => {
    begun += 1
    return ends.promise
  }
  const all = Promise.allSettled(Array.from({ length: tries }, () => slots(() => client, work)))
  return { begun, all, end: () => ends.resolve() }
}

describe('slots', () => {
  it('are three quarters of all for one client, and others find some whatever it does', async () => {
    const slots = createSlots(100)
    const greedy = fill(slots, 'greedy', 1_000)
    expect(greedy.begun).toBe(75)
    const other = fill(slots, 'other', 1_000)
    expect(other.begun).toBe(13)
    expect(
      await slots(
        () => 'third',
        async () => 'in',
      ),
    ).toBe('in')
    greedy.end()
    await greedy.all
    const again = fill(slots, 'greedy', 1_000)
    expect(again.begun).toBe(62)
    for (const { end } of [other, again]) end()
    await Promise.all([other.all, again.all])
  })

  it('are seven eighths of all for a network, however many clients it has', async () => {
    const slots = createSlots(100)
    const clients = Array.from({ length: 100 }, (_, at) => fill(slots, `2001:db8:1:${at}::/64`, 10))
    expect(clients.reduce((sum, { begun }) => sum + begun, 0)).toBe(88)
    const other = fill(slots, '2001:db8:2:0::/64', 100)
    expect(other.begun).toBe(6)
    for (const { end } of clients) end()
    await Promise.all(clients.map(({ all }) => all))
    const again = fill(slots, '2001:db8:1:0::/64', 100)
    expect(again.begun).toBe(69)
    for (const { end } of [other, again]) end()
    await Promise.all([other.all, again.all])
  })

  it('are free again when work ends, well or not', async () => {
    const slots = createSlots(1)
    await slots(
      () => 'ada',
      async () => 'well',
    )
    await expect(
      slots(
        () => 'ada',
        () => Promise.reject(new Error('boom')),
      ),
    ).rejects.toThrow('boom')
    const ada = fill(slots, 'ada', 1)
    await expect(
      slots(
        () => 'grace',
        async () => 'never',
      ),
    ).rejects.toThrow(Overloaded)
    ada.end()
    await ada.all
    expect(
      await slots(
        () => 'grace',
        async () => 'in',
      ),
    ).toBe('in')
  })
})
