import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { copyDatabase } from '../../../../core/storage/backups/copy-database.ts'
import { previewRestore } from '../../../../core/storage/backups/preview-restore.ts'
import { integrityOf } from '../../../../core/storage/files/integrity.ts'
import { expectedFile } from '../../../../core/storage/open/sqlite.ts'
import { anOpenDatabase } from '../folder.ts'

/** How many KiB each connection kept of each of its files, for all that are closed from now on. */
function closedConnections(): readonly number[] {
  const kept: number[] = []
  const { close } = BetterSqlite3.prototype
  BetterSqlite3.prototype.close = function () {
    const list = this.pragma('database_list') as { readonly name: string; readonly file: string }[]
    for (const { name, file } of list) {
      if (file) kept.push(-Number(this.pragma(`${name}.cache_size`, { simple: true })))
    }
    return close.call(this)
  }
  onTestFinished(() => {
    BetterSqlite3.prototype.close = close
  })
  return kept
}

it('who reads a whole database keeps little of it in memory: to copy it, to compare it and to check it', async () => {
  const { file } = await anOpenDatabase()
  const copy = `${file}.copy`
  const kept = closedConnections()
  await copyDatabase(file, copy)
  expect(kept).toHaveLength(2)
  previewRestore(copy, file, expectedFile)
  expect(kept).toHaveLength(4)
  expect(integrityOf(copy)).toBe('ok')
  expect(kept).toHaveLength(5)
  expect(Math.max(...kept)).toBeLessThanOrEqual(2_048)

  // Nobody bounded this one.
  new BetterSqlite3(copy).close()
  expect(kept.at(-1)).toBe(16_000)
})
