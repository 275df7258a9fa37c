import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backUp } from '../../../../core/storage/backups/backup.ts'
import { previewRestore } from '../../../../core/storage/backups/preview-restore.ts'
import { settingsBeside } from '../../../../core/storage/backups/settings-beside.ts'
import { UnusableDatabase } from '../../../../core/storage/files/inspect-file.ts'
import { expectedFile } from '../../../../core/storage/open/sqlite.ts'
import { addAccount } from '../../accounts/fixtures.ts'
import { addLink } from '../../visits/fixtures.ts'
import { anOpenDatabase } from '../folder.ts'

const preview = (from: string, file: string) => previewRestore(from, file, expectedFile)

/** A database in use, and a backup of it from before its links and its accounts were changed. */
async function anInstance() {
  const { file, db } = await anOpenDatabase()
  const account = await addAccount(db, { email: 'a@example.org' })
  await addAccount(db, { email: 'leaves@example.org' })
  const owner = { accountId: account.id, collect: [], maxTrackedVisits: 1_000 }
  const [first, second, third] = [
    await addLink(db, owner),
    await addLink(db, owner),
    await addLink(db, owner),
  ]
  await db
    .insertInto('link_totals')
    .values({ link_id: first.id, visits: 5, last_visit_at: 1 })
    .execute()
  writeFileSync(settingsBeside(file), '{"features":{"apiAccessEnabled":false},"plugins":{}}')
  const copy = join(dirname(file), 'copy.db')
  await backUp(file, copy)

  await db.updateTable('links').set({ version: 9 }).where('id', '=', second.id).execute()
  await db.deleteFrom('links').where('id', '=', third.id).execute()
  await addLink(db, owner)
  await addLink(db, owner)
  await db.deleteFrom('accounts').where('email', '=', 'leaves@example.org').execute()
  await db.updateTable('link_totals').set({ visits: 7 }).execute()
  writeFileSync(settingsBeside(file), '{"brand":{"name":"Go"}}')
  return { file, copy }
}

describe('the preview of a restore', () => {
  it('says what would be gone, back and as before, while the database is in use', async () => {
    const { file, copy } = await anInstance()
    expect(preview(copy, file)).toEqual({
      schema: { backup: expectedFile.newest, now: expectedFile.newest },
      accounts: { backup: 2, now: 1, lost: 0, returned: 1, reverted: 0 },
      links: { backup: 3, now: 4, lost: 2, returned: 1, reverted: 1 },
      visits: { backup: 5, now: 7 },
      settings: ['features', 'brand'],
    })
  })

  it('changes neither of the two', async () => {
    const { file, copy } = await anInstance()
    const before = [readFileSync(copy), readFileSync(file), readFileSync(`${file}-wal`)]
    preview(copy, file)
    expect([readFileSync(copy), readFileSync(file), readFileSync(`${file}-wal`)]).toEqual(before)
    expect(existsSync(`${copy}-wal`)).toBe(false)
  })

  it.each([
    ['damaged', (file: string) => writeFileSync(file, 'garbage')],
    ['not there', (file: string) => rmSync(file)],
  ])('says what is in the backup where the database is %s', async (_, spoil) => {
    const { file, copy } = await anInstance()
    const other = join(dirname(file), 'other.db')
    writeFileSync(other, readFileSync(file))
    spoil(other)
    expect(preview(copy, other)).toMatchObject({
      schema: { backup: expectedFile.newest, now: null },
      links: { backup: 3, now: null, lost: 0, returned: 0, reverted: 0 },
      visits: { backup: 5, now: null },
    })
  })

  it('says what is in the backup where pages of the database are damaged, and refuses a backup with such pages', async () => {
    const { file, copy } = await anInstance()
    const spoilt = join(dirname(file), 'spoilt.db')
    await backUp(file, spoilt)
    const raw = new BetterSqlite3(spoilt)
    raw.unsafeMode()
    raw.pragma('writable_schema = ON')
    raw.exec("update sqlite_master set rootpage = 4096 where name = 'links'")
    raw.close()
    expect(preview(copy, spoilt)).toMatchObject({ links: { backup: 3, now: null, lost: 0 } })
    expect(() => preview(spoilt, file)).toThrow(/spoilt\.db is damaged: .* Name another backup\.$/)
  })

  it('knows backups without settings, which leave those that are there', async () => {
    const { file, copy } = await anInstance()
    const raw = new BetterSqlite3(copy)
    raw.exec("delete from meta where key = 'settings.json'")
    raw.close()
    expect(preview(copy, file).settings).toBeNull()
  })

  it('refuses what a restore would refuse', async () => {
    const { file, copy } = await anInstance()
    writeFileSync(copy, 'garbage')
    expect(() => preview(copy, file)).toThrow(UnusableDatabase)
    expect(() => preview(copy, file)).toThrow(/Name another backup\.$/)
  })
})
