import { expect, it } from 'vitest'
import { logOfPlugin } from '../../../../core/kernel/run/plugin-log.ts'

const gone = new Error('gone')

it.each([
  ['an error in place of details', ['It failed', gone], 'It failed', { error: gone }],
  ['an error alone', [gone], 'gone', { error: gone }],
  ['an error and details', [gone, { rows: 5 }], 'gone', { error: gone, rows: 5 }],
  ['null', [null], 'it threw null, which is no error', {}],
  ['details', ['It failed', { error: gone, rows: 5 }], 'It failed', { error: gone, rows: 5 }],
])('a plugin may log %s', (_, given, message, details) => {
  const lines: unknown[] = []
  const write = (...line: unknown[]) => void lines.push(line)
  const log = logOfPlugin({ info: write, warn: write, error: write }, 'a.plugin', () => undefined)
  log.warn(...(given as Parameters<typeof log.warn>))
  expect(lines).toEqual([[message, { ...details, feature: 'a.plugin' }]])
})
