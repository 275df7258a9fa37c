import { expect, it } from 'vitest'
import { connectionLimits } from '../../../core/cli/connection-limits.ts'

const mebibyte = 1024 * 1024

it.each([
  [{ openFiles: 1_024, memoryBytes: 24_576 * mebibyte }, 448, 64],
  [{ openFiles: 1_048_576, memoryBytes: 512 * mebibyte }, 8_874, 32],
  [{ openFiles: 1_048_576, memoryBytes: 128 * mebibyte }, 682, 8],
  [{ openFiles: 1_048_576, memoryBytes: 64 * mebibyte }, 256, 4],
  [{ openFiles: 100, memoryBytes: 512 * mebibyte }, 16, 32],
  [{ openFiles: Number.POSITIVE_INFINITY, memoryBytes: 512 * mebibyte }, 8_874, 32],
])('with %j there may be %d connections and %d MiB unread', (there, connections, mebibytes) => {
  expect(connectionLimits(there)).toEqual({
    maxConnections: connections,
    maxUnsentBytes: mebibytes * mebibyte,
  })
})

it('the limits of this machine leave room for connections', () => {
  const { maxConnections, maxUnsentBytes } = connectionLimits()
  expect(maxConnections).toBeGreaterThanOrEqual(16)
  expect(Number.isFinite(maxConnections)).toBe(true)
  expect(maxUnsentBytes).toBeGreaterThan(mebibyte)
})
