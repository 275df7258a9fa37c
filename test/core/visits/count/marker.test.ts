import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMarker, newSalt, saltMs } from '../../../../core/visits/count/marker.ts'

const values = Array.from({ length: 100 }, (_, number) => `203.0.113.${number} Firefox`)
const day = 20_777

describe('the mark of a value', () => {
  it('is the same all day', () => {
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    expect(values.map(it => mark(it, day))).toEqual(before)
    expect(new Set(before).size).toBeGreaterThan(90)
  })

  it('is another one on another day, and in another process', () => {
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    const elsewhere = createMarker()
    for (const others of [
      values.map(it => mark(it, day + 1)),
      values.map(it => elsewhere(it, day)),
    ]) {
      const same = others.filter((other, index) => other === before[index])
      expect(same.length).toBeLessThan(10)
    }
  })

  it('stays that of the day before for visits that come late', () => {
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    mark('a visitor', day + 1)
    expect(values.map(it => mark(it, day))).toEqual(before)
  })

  it('is forgotten once there were two later days', () => {
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    for (const later of [day + 1, day + 2]) mark('a visitor', later)
    expect(values.map(it => mark(it, day))).not.toEqual(before)
  })

  it('goes on as it was when the clock leapt ahead for an hour', () => {
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    mark('a visitor', day + 400)
    expect(values.map(it => mark(it, day))).toEqual(before)
  })

  it('is forgotten when its time is over, though nobody comes any more', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const mark = createMarker()
    const before = values.map(it => mark(it, day))
    vi.advanceTimersByTime(saltMs - 1)
    expect(values.map(it => mark(it, day))).toEqual(before)
    vi.advanceTimersByTime(1)
    expect(values.map(it => mark(it, day))).not.toEqual(before)
  })

  it('is made by the salt that servers agreed on, until that has to be forgotten', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const [one, other] = [createMarker(), createMarker()]
    const agreed = { day, salt: newSalt(), until: Date.now() + 1_000 }
    for (const mark of [one, other]) mark.learn(agreed)
    const before = values.map(it => one(it, day))
    expect(values.map(it => other(it, day))).toEqual(before)
    vi.advanceTimersByTime(1_000)
    expect(values.map(it => other(it, day))).not.toEqual(before)
  })
})
