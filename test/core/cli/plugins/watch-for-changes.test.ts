import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stateOf, watchForChanges } from '../../../../core/cli/plugins/watch-for-changes.ts'
import { ServerAway } from '../../../../core/storage/files/out-of-reach.ts'
import type { Listener } from '../../../../core/storage/news.ts'

let dataDir: string
let tell: Listener
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'linnet-watch-'))
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true })
})

function watch(refresh: () => Promise<void>) {
  const error = vi.fn()
  const log = { info: vi.fn(), warn: vi.fn(), error }
  const news = {
    on(_: string, listener: Listener) {
      tell = listener
    },
  }
  return { error, ...watchForChanges({ dataDir, first: stateOf(dataDir), news }, refresh, log) }
}

it('the watch for changes takes up one that was told while the database could not be read', async () => {
  const refresh = vi.fn(async () => undefined)
  for (let turn = 0; turn < 2; turn += 1) refresh.mockRejectedValueOnce(new ServerAway('gone'))
  const { error, stop } = watch(refresh)
  tell()
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  expect(refresh).toHaveBeenCalledTimes(3)
  expect(error).toHaveBeenCalledTimes(1)
})

it('the watch for changes tries what is wrong once, and says so', async () => {
  const refresh = vi.fn(async () => Promise.reject(new Error('wrong')))
  const { error, stop } = watch(refresh)
  tell()
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(error).toHaveBeenCalledTimes(1)
})

it('the watch for changes takes no plugin away while the disk of the folder fails, and hears of changes afterwards', async () => {
  const plugin = join(dataDir, 'plugins', 'hours.js')
  mkdirSync(dirname(plugin))
  writeFileSync(plugin, '')
  const refresh = vi.fn(async () => undefined)
  const { error, stop } = watch(refresh)
  renameSync(dataDir, `${dataDir}-away`)
  // Whoever looks behind such a link gets an error, as on a disk that fails.
  symlinkSync(dataDir, dataDir)
  await vi.advanceTimersByTimeAsync(10_000)
  rmSync(dataDir)
  renameSync(`${dataDir}-away`, dataDir)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([refresh.mock.calls, error.mock.calls]).toEqual([[], []])
  rmSync(plugin)
  await vi.advanceTimersByTimeAsync(10_000)
  stop()
  expect(refresh).toHaveBeenCalledTimes(1)
})
