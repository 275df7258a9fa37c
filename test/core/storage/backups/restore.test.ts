import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backUp, backupPath } from '../../../../core/storage/backups/backup.ts'
import { copyDatabase } from '../../../../core/storage/backups/copy-database.ts'
import { previewRestore } from '../../../../core/storage/backups/preview-restore.ts'
import { restoreDatabase } from '../../../../core/storage/backups/restore.ts'
import { settingsBeside } from '../../../../core/storage/backups/settings-beside.ts'
import { expectedFile, openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { aDatabasePath, makeDatabase, said, say } from '../folder.ts'

const now = Date.UTC(2026, 10, 20, 12)

/** A database that says `new`, and a copy of it that says `old`. */
async function anInstance() {
  const file = aDatabasePath()
  const copy = join(dirname(file), 'copy.db')
  await makeDatabase(file, 'old')
  await copyDatabase(file, copy)
  await makeDatabase(file, 'new')
  return { file, copy, folder: dirname(file) }
}

const restore = (from: string, file: string) =>
  restoreDatabase(from, file, { ...expectedFile, now })

describe('a restore', () => {
  it('puts the copy in place, and keeps what was there before', async () => {
    const { file, copy, folder } = await anInstance()
    const { kept = '' } = await restore(copy, file)
    expect(kept).toBe(join(folder, 'backups', 'before-restore-20261120T120000Z.db'))
    expect([said(file), said(kept), said(copy)]).toEqual(['old', 'new', 'old'])
    expect(readdirSync(folder).sort()).toEqual(['backups', 'copy.db', 'linnet.db'])
  })

  it('is not mixed with the log that a crash left beside the database', async () => {
    const { file, copy } = await anInstance()
    await leaveLog(file, 'newer')
    expect(existsSync(`${file}-wal`)).toBe(true)
    const { kept = '' } = await restore(copy, file)
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect([said(file), said(kept)]).toEqual(['old', 'newer'])
  })

  it('keeps the very bytes of a database that is damaged', async () => {
    const { file, copy } = await anInstance()
    writeFileSync(file, 'garbage')
    writeFileSync(`${file}-wal`, 'its log')
    writeFileSync(settingsBeside(file), '{ "its": "settings" }')
    const { kept = '' } = await restore(copy, file)
    expect(readFileSync(kept, 'utf8')).toBe('garbage')
    expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('its log')
    expect(readFileSync(`${kept}-settings.json`, 'utf8')).toBe('{ "its": "settings" }')
    expect(said(file)).toBe('old')
  })

  it('needs no database to be there', async () => {
    const { copy, folder } = await anInstance()
    const file = join(folder, 'other.db')
    expect(await restore(copy, file)).toEqual({ kept: undefined, hadSettings: false })
    expect(said(file)).toBe('old')
  })
})

describe('a copy that somebody altered', () => {
  const endless =
    'with recursive r(x) as (select 1 union all select x + 1 from r) select notes.*, x from notes, r'

  it.each([
    ['alter table accounts drop column is_admin', 'its table accounts is missing or was changed'],
    ['drop index sessions_account', 'its index sessions_account is missing or was changed'],
    [
      'create trigger more after update on accounts begin update accounts set is_admin = 1; end',
      'it has the trigger more',
    ],
    [
      `alter table outbox rename to notes; create view outbox as ${endless}`,
      'it has the view outbox',
    ],
    [
      'alter table links add column z as (zeroblob(900000000))',
      'its table links has a computed column',
    ],
    ['create virtual table ft using fts5(a)', 'it has the virtual table ft'],
    ['create table other (a)', "the table other is not Linnet's"],
    [
      "insert into plugin_migrations values ('acme.moods', '1', '', 0); create table acme_moods (a, b as (a))",
      'its table acme_moods has a computed column',
    ],
  ])('by %s is refused in one sentence, and nothing is changed', async (sql, why) => {
    const { file, copy } = await anInstance()
    const raw = new BetterSqlite3(copy)
    raw.exec(sql)
    raw.close()
    const sentence = `${copy} is no backup as Linnet makes it: ${why}. Name a backup that Linnet made.`
    expect(() => previewRestore(copy, file, expectedFile)).toThrow(sentence)
    await expect(restore(copy, file)).rejects.toThrow(sentence)
    expect(said(file)).toBe('new')
    expect(readdirSync(dirname(file)).sort()).toEqual(['copy.db', 'linnet.db'])
  })

  it('only by what plugins, Litestream and statistics of SQLite add is restored', async () => {
    const { file, copy } = await anInstance()
    const raw = new BetterSqlite3(copy)
    raw.exec("insert into plugin_migrations values ('acme.officeHours', '1', '', 0)")
    raw.exec(
      'create table acme_office_hours (a); create index acme_office_hours_a on acme_office_hours (a)',
    )
    raw.exec('create table _litestream_seq (id integer primary key, seq integer)')
    raw.exec('create table _litestream_lock (id integer)')
    raw.exec('analyze')
    raw.close()
    await restore(copy, file)
    expect(said(file)).toBe('old')
  })
})

describe('the settings beside a database', () => {
  const settingsOf = (file: string) => readFileSync(settingsBeside(file), 'utf8')

  /** A database that says `new`, as its settings do, and a backup of when both said `old`. */
  async function bootWithSettings() {
    const file = aDatabasePath()
    await makeDatabase(file, 'old')
    writeFileSync(settingsBeside(file), 'old')
    const copy = backupPath(file, 'manual', now - 60_000)
    await backUp(file, copy)
    await makeDatabase(file, 'new')
    writeFileSync(settingsBeside(file), 'new')
    return { file, copy, folder: dirname(file) }
  }

  it('come back with the database, and those that were there are kept with theirs', async () => {
    const { file, copy, folder } = await bootWithSettings()
    const { kept = '', hadSettings } = await restore(copy, file)
    expect([said(file), settingsOf(file), hadSettings]).toEqual(['old', 'old', true])
    expect(readdirSync(folder).sort()).toEqual(['backups', 'linnet.db', 'settings.json'])
    await restore(kept, file)
    expect([said(file), settingsOf(file)]).toEqual(['new', 'new'])
  })

  it('are not left in the database', async () => {
    const { file, copy } = await bootWithSettings()
    await restore(copy, file)
    const raw = new BetterSqlite3(file)
    expect(raw.prepare('select key from meta').pluck().all()).not.toContain('settings.json')
    raw.close()
  })

  it('stay as they are when the copy was made without any', async () => {
    const { file, copy } = await anInstance()
    writeFileSync(settingsBeside(file), 'new')
    expect(await restore(copy, file)).toMatchObject({ hadSettings: false })
    expect([said(file), settingsOf(file)]).toEqual(['old', 'new'])
  })

  it('come back as none when nobody had changed any', async () => {
    const { file, copy } = await anInstance()
    rmSync(copy)
    await backUp(file, copy)
    writeFileSync(settingsBeside(file), 'new')
    expect(await restore(copy, file)).toMatchObject({ hadSettings: true })
    expect(JSON.parse(settingsOf(file))).toEqual({})
  })

  it('are put in place by who opens the database next, once the restore was decided', async () => {
    const { file, copy } = await bootWithSettings()
    copyFileSync(copy, `${file}.restored`)
    writeFileSync(`${settingsBeside(file)}.restoring`, 'old')
    await (await openSqlite(file)).close()
    expect([said(file), settingsOf(file)]).toEqual(['old', 'old'])
  })

  it('are put in place by nobody when it was not, and not by a later restore either', async () => {
    const { file, copy } = await bootWithSettings()
    writeFileSync(`${settingsBeside(file)}.restoring`, 'of a restore that was broken off')
    await (await openSqlite(file)).close()
    expect([said(file), settingsOf(file)]).toEqual(['new', 'new'])
    const without = `${copy}.without`
    await copyDatabase(file, without)
    await restore(without, file)
    expect(settingsOf(file)).toBe('new')
  })
})

describe('a copy', () => {
  const spoilt: [string, (copy: string) => void, RegExp][] = [
    [
      'is garbage',
      copy => writeFileSync(copy, 'hello '.repeat(100)),
      /does not start as a SQLite.* Name another backup\.$/,
    ],
    [
      'is empty',
      copy => truncateSync(copy, 0),
      /it is empty\. Nothing was changed\. Name another backup\.$/,
    ],
    ['lost its end', copy => truncateSync(copy, 40_000), /ends after 40000 of/],
    [
      'belongs to another program',
      copy => overwrite(copy, 68, 1),
      /not one of Linnet's\. Name a backup that Linnet made\.$/,
    ],
    [
      'was written by a newer version',
      copy => overwrite(copy, 60, 99),
      /a newer Linnet .* Update Linnet first, or name an older backup\.$/,
    ],
    ['is damaged inside', copy => scribble(copy), /is damaged: .* Name another backup\.$/],
  ]

  it.each(spoilt)('that %s is refused, and nothing is changed', async (_, spoil, why) => {
    const { file, copy, folder } = await anInstance()
    spoil(copy)
    const before = readFileSync(file)
    await expect(restore(copy, file)).rejects.toThrow(why)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'linnet.db'])
  })
})

describe('a restore that fails', () => {
  it('leaves nothing when what is there cannot be kept', async () => {
    const { file, copy, folder } = await anInstance()
    writeFileSync(join(folder, 'backups'), 'no folder')
    const before = readdirSync(folder).sort()
    await expect(restore(copy, file)).rejects.toThrow(/backups/)
    expect(readdirSync(folder).sort()).toEqual(before)
    expect(said(file)).toBe('new')
  })
})

describe('a restore that is broken off', () => {
  it('before it was decided leaves the database as it was', async () => {
    const { file, copy } = await anInstance()
    copyFileSync(copy, `${file}.restoring`)
    appendFileSync(`${file}.restoring.unfinished`, 'half')
    await (await openSqlite(file)).close()
    expect(said(file)).toBe('new')
    await restore(copy, file)
    expect(said(file)).toBe('old')
  })

  it.each([
    ['the log was there still', async (file: string) => leaveLog(file, 'newer')],
    ['the log was gone', async () => undefined],
  ])('once it was decided is completed by who opens the database next: %s', async (_, leave) => {
    const { file, copy } = await anInstance()
    await leave(file)
    copyFileSync(copy, `${file}.restored`)
    const storage = await openSqlite(file)
    const { value } = await storage.db
      .selectFrom('meta')
      .select('value')
      .where('key', '=', 'says')
      .executeTakeFirstOrThrow()
    await storage.close()
    expect(value).toBe('old')
    expect(existsSync(`${file}.restored`)).toBe(false)
  })
})

/** Leave a log beside the database with something that the file does not say. */
async function leaveLog(file: string, says: string): Promise<void> {
  const aside = `${file}.aside`
  const storage = await openSqlite(file)
  await say(storage.db, says)
  copyFileSync(file, aside)
  copyFileSync(`${file}-wal`, `${aside}-wal`)
  await storage.close()
  copyFileSync(aside, file)
  copyFileSync(`${aside}-wal`, `${file}-wal`)
}

function overwrite(file: string, offset: number, value: number): void {
  const bytes = readFileSync(file)
  bytes.writeUInt32BE(value, offset)
  writeFileSync(file, bytes)
}

function scribble(file: string): void {
  const raw = new BetterSqlite3(file)
  raw.unsafeMode()
  raw.pragma('writable_schema = ON')
  raw.exec(`update sqlite_master set rootpage = 4096 where name = 'accounts'`)
  raw.close()
}
