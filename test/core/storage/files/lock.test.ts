import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { lockFolder, watchLock } from '../../../../core/storage/files/lock.ts'
import { rememberingLog } from '../../accounts/fixtures.ts'
import { aDatabasePath } from '../folder.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

function aWatchedLock() {
  const file = join(dirname(aDatabasePath()), 'linnet.lock')
  const errors: string[] = []
  const remembering = rememberingLog()
  const log = { ...remembering, error: (message: string) => void errors.push(message) }
  const lock = watchLock(lockFolder(file), log)
  onTestFinished(() => lock.release())
  return { file, errors, warnings: remembering.warnings }
}

const another = (file: string) => lockFolder(file, { waitMs: 0 })

it('a server locks the folder again when the file of its lock is deleted', () => {
  const { file, errors, warnings } = aWatchedLock()
  rmSync(file)
  vi.advanceTimersByTime(10_000)
  expect(() => another(file)).toThrow(/Another Linnet is running/)
  vi.advanceTimersByTime(60_000)
  expect(errors).toEqual([])
  expect(warnings).toEqual([expect.stringMatching(/linnet\.lock was deleted or replaced/)])
})

it('a server goes on while the disk of its folder does not say whether it is locked, and says nothing', () => {
  const { file, errors, warnings } = aWatchedLock()
  const folder = dirname(file)
  renameSync(folder, `${folder}-away`)
  // Whoever looks behind such a link gets an error, as on a disk that fails.
  symlinkSync(folder, folder)
  vi.advanceTimersByTime(60_000)
  rmSync(folder)
  renameSync(`${folder}-away`, folder)
  vi.advanceTimersByTime(60_000)
  expect([...errors, ...warnings]).toEqual([])
  expect(() => another(file)).toThrow(/Another Linnet is running/)
})

it('a server says once that another has the folder by then, and takes it back when that has ended', () => {
  const { file, errors, warnings } = aWatchedLock()
  rmSync(file)
  const other = another(file)
  vi.advanceTimersByTime(60_000)
  expect(errors).toEqual([expect.stringMatching(/another Linnet now uses this data folder/)])
  other.release()
  vi.advanceTimersByTime(10_000)
  expect(() => another(file)).toThrow(/Another Linnet is running/)
  expect(warnings).toHaveLength(1)
})
