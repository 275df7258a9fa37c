import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { boundLog } from '../../../../core/kernel/contain/bound-log.ts'
import type { Log } from '../../../../core/plugin.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function listen() {
  const lines: string[] = []
  const write = (message: string) => void lines.push(message)
  return { lines, log: boundLog({ info: write, warn: write, error: write } satisfies Log, 'a.b') }
}

it('the log of a plugin takes 200 lines a minute, and says how many it left out', () => {
  const { lines, log } = listen()
  for (let line = 0; line < 10_000; line += 1) log.info(`line ${line}`)
  expect(lines).toHaveLength(200)
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(199)).toEqual(['line 199', 'a.b logs too much: 9800 lines are left out'])
  log.error('heard again')
  expect(lines.at(-1)).toBe('heard again')
})

it('the log of a plugin has no line of its own where nothing is too much', () => {
  const { lines, log } = listen()
  for (let line = 0; line < 200; line += 1) log.warn('one')
  vi.advanceTimersByTime(60_000)
  for (let line = 0; line < 200; line += 1) log.warn('one')
  vi.advanceTimersByTime(60_000)
  expect(new Set(lines)).toEqual(new Set(['one']))
  expect(lines).toHaveLength(400)
})
