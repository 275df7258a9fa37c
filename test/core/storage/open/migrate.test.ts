import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { sqliteHistory } from '../../../../core/storage/tables.ts'
import { itMigrates, withMoods } from './migrating.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-migrate-'))
  file = join(folder, 'linnet.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the schema of a file', () => {
  itMigrates({
    history: sqliteHistory,
    open: history => openSqlite(file, { history }),
    openFresh(history) {
      const fresh = join(folder, 'fresh.db')
      for (const suffix of ['', '-wal', '-shm']) rmSync(fresh + suffix, { force: true })
      return openSqlite(fresh, { history })
    },
    async fill() {
      const released = new URL('../../../fixtures/schema-1.db.gz', import.meta.url)
      writeFileSync(file, gunzipSync(readFileSync(released)))
    },
  })

  const later = withMoods(sqliteHistory)
  const copies = () => readdirSync(join(folder, 'backups'))

  it('is copied with all else before it changes', async () => {
    await (await openSqlite(file)).close()
    const now = () => Date.UTC(2026, 10, 20, 15, 12)
    await (await openSqlite(file, { history: later, now })).close()

    expect(copies()).toEqual(['before-schema-2-20261120T151200Z.db'])
    const copy = new BetterSqlite3(join(folder, 'backups', copies()[0] ?? ''))
    expect(copy.pragma('user_version', { simple: true })).toBe(1)
    copy.close()
  })

  it('is copied once although steps are cut off again and again, and anew when anything has changed', async () => {
    await (await openSqlite(file)).close()
    const history = withMoods(sqliteHistory, () => Promise.reject(new Error('power cut')))
    for (let start = 0; start < 3; start += 1) {
      await expect(openSqlite(file, { history })).rejects.toThrow('power cut')
    }
    expect(copies()).toHaveLength(1)
    writeFileSync(join(folder, 'settings.json'), '{}')
    await expect(openSqlite(file, { history })).rejects.toThrow('power cut')
    expect(copies()).toHaveLength(2)
  })
})
