import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { backUp, backupPath } from '../../../../core/storage/backups/backup.ts'
import { type Backups, createBackups } from '../../../../core/storage/backups/backups.ts'
import { copyDatabase } from '../../../../core/storage/backups/copy-database.ts'
import { createDamage } from '../../../../core/storage/files/damage.ts'
import { stoppedClock } from '../../accounts/fixtures.ts'
import { anOpenDatabase, said, say } from '../folder.ts'

async function anInstance() {
  const { file, db } = await anOpenDatabase()
  const clock = stoppedClock()
  const stopping = new AbortController()
  const backups = createBackups({
    file,
    copy: backUp,
    now: clock.now,
    signal: stopping.signal,
  })
  return { file, folder: join(dirname(file), 'backups'), db, clock, backups }
}

/** Backups of a database that is damaged, as far as is known. */
async function ofOneFoundDamaged(copy: typeof backUp) {
  const { file, clock } = await anInstance()
  const damage = createDamage()
  damage.report(malformed)
  const { signal } = new AbortController()
  const { report: onFailed, refute: onMade } = damage
  return {
    damage,
    backups: createBackups({ file, copy, onFailed, onMade, now: clock.now, signal }),
  }
}

const malformed = new BetterSqlite3.SqliteError(
  'database disk image is malformed',
  'SQLITE_CORRUPT',
)

const pathOf = async (backups: Backups, name = '') => (await backups.find(name))?.path ?? ''

describe('a backup', () => {
  it('takes back that the database is damaged, and one that fails does not', async () => {
    const well = await ofOneFoundDamaged(backUp)
    await well.backups.make('manual')
    expect(well.damage.found()).toBeUndefined()
    const ill = await ofOneFoundDamaged(() => Promise.reject(malformed))
    await expect(ill.backups.make('manual')).rejects.toThrow(malformed)
    expect(ill.damage.found()).toBe(malformed.message)
  })

  it('has what was committed before, is whole, and needs no log beside it', async () => {
    const { db, folder, backups } = await anInstance()
    await say(db, 'before')
    const made = await backups.make('manual')
    await say(db, 'after')

    expect(made).toEqual({
      name: 'manual-20261120T120000Z.db',
      kind: 'manual',
      bytes: expect.any(Number),
      createdAt: new Date('2026-11-20T12:00:00Z'),
    })
    expect(readdirSync(folder)).toEqual([made?.name])
    const path = await pathOf(backups, made?.name)
    expect(said(path)).toBe('before')
    const copy = new BetterSqlite3(path)
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
    copy.close()
  })

  it('has every row that was acknowledged before it began, while others are being written', async () => {
    const { db, backups } = await anInstance()
    let acknowledged = 0
    let isWriting = true
    const writing = (async () => {
      while (isWriting) {
        await say(db, String(acknowledged + 1))
        acknowledged += 1
        await new Promise(setImmediate)
      }
    })()
    await expect.poll(() => acknowledged).toBeGreaterThan(10)
    const before = acknowledged
    const made = await backups.make('manual')
    isWriting = false
    await writing
    expect(Number(said(await pathOf(backups, made?.name)))).toBeGreaterThanOrEqual(before)
    expect(acknowledged).toBeGreaterThan(before)
  })

  it('gets a name of its own, also when many are made in one second', async () => {
    const { file, db, backups } = await anInstance()
    await say(db, 'here')
    const another = createBackups({
      file,
      copy: backUp,
      now: stoppedClock().now,
      signal: new AbortController().signal,
    })
    const made = await Promise.all([
      backups.make('manual'),
      another.make('manual'),
      backUp(file, backupPath(file, 'manual', stoppedClock().now().getTime())),
    ])
    expect(made[0]?.createdAt).toEqual(made[1]?.createdAt)
    const all = await backups.list()
    expect(all.map(({ name }) => name)).toEqual([
      'manual-20261120T120000Z-3.db',
      'manual-20261120T120000Z-2.db',
      'manual-20261120T120000Z.db',
    ])
    for (const { name } of all) expect(said(await pathOf(backups, name))).toBe('here')
  })

  it('is made one at a time', async () => {
    const { backups } = await anInstance()
    const first = backups.make('manual')
    expect(backups.make('manual')).toBeUndefined()
    await first
    await expect(backups.make('manual')).resolves.toMatchObject({ kind: 'manual' })
  })

  it('that fails leaves no file, and the next one is made', async () => {
    const { file, folder, backups } = await anInstance()
    writeFileSync(folder, 'in the way')
    await expect(backups.make('manual')).rejects.toThrow()
    rmSync(folder)
    mkdirSync(folder)
    const damaged = join(dirname(file), 'damaged.db')
    await copyDatabase(file, damaged)
    const raw = new BetterSqlite3(damaged)
    raw.unsafeMode()
    raw.pragma('writable_schema = ON')
    raw.exec(`update sqlite_master set rootpage = 4096 where name = 'accounts'`)
    raw.close()
    await expect(copyDatabase(damaged, join(folder, 'manual-20261120T120000Z.db'))).rejects.toThrow(
      /could not be copied/,
    )
    expect(readdirSync(folder)).toEqual([])
    await expect(backups.make('manual')).resolves.toMatchObject({ kind: 'manual' })
  })
})

describe('the backups', () => {
  it('are listed newest first, and nothing else in their folder', async () => {
    const { folder, clock, backups } = await anInstance()
    expect(await backups.list()).toEqual([])
    await backups.make('manual')
    clock.advance(60_000)
    await backups.makeNightly(7)
    writeFileSync(join(folder, 'notes.txt'), '')
    writeFileSync(join(folder, 'manual-20261120T120000Z.db.unfinished'), '')
    expect((await backups.list()).map(({ name }) => name)).toEqual([
      'nightly-20261120T120100Z.db',
      'manual-20261120T120000Z.db',
    ])
  })

  it('of the night are deleted when there are more than are kept, and no others', async () => {
    const { clock, backups } = await anInstance()
    await backups.make('manual')
    for (let night = 1; night <= 4; night += 1) {
      clock.advance(24 * 3_600_000)
      await backups.makeNightly(2)
    }
    expect((await backups.list()).map(({ name }) => name)).toEqual([
      'nightly-20261124T120000Z.db',
      'nightly-20261123T120000Z.db',
      'manual-20261120T120000Z.db',
    ])
  })

  it('of the night that a clock made that was ahead are deleted first', async () => {
    const { clock, backups } = await anInstance()
    clock.advance(400 * 24 * 3_600_000)
    await backups.makeNightly(2)
    clock.advance(-400 * 24 * 3_600_000)
    for (let night = 1; night <= 3; night += 1) {
      await backups.makeNightly(2)
      clock.advance(24 * 3_600_000)
    }
    expect((await backups.list()).map(({ name }) => name)).toEqual([
      'nightly-20261122T120000Z.db',
      'nightly-20261121T120000Z.db',
    ])
  })

  it('are rid of what a crash left of one, or of a restore, a day later', async () => {
    const { folder, clock, backups } = await anInstance()
    await backups.make('manual')
    const left = [
      join(folder, 'nightly-20261119T031500Z.db.unfinished'),
      join(folder, 'before-restore-20261119T031500Z.db.damaged.unfinished'),
      join(folder, 'before-restore-20261119T031500Z.db.damaged-settings.json.unfinished'),
      join(folder, '..', 'linnet.db.restoring'),
      join(folder, '..', 'settings.json.restoring'),
      join(folder, '..', 'linnet.db.restoring.unfinished'),
      join(folder, '..', 'linnet.db.restoring.unfinished-journal'),
    ]
    for (const path of left) {
      writeFileSync(path, 'half')
      utimesSync(path, clock.now(), clock.now())
    }
    await backups.makeNightly(7)
    expect(left.filter(path => existsSync(path))).toEqual(left)
    clock.advance(25 * 3_600_000)
    await backups.makeNightly(7)
    expect(left.filter(path => existsSync(path))).toEqual([])
  })

  it.each(['../linnet.db', '..', '', 'linnet.db', '/etc/passwd', 'manual-20261120T120000Z.db/..'])(
    'are found by their own names and not by %j',
    async name => {
      const { backups } = await anInstance()
      await backups.make('manual')
      expect(await backups.find(name)).toBeUndefined()
      expect(await backups.delete(name)).toBe(false)
      expect(await backups.list()).toHaveLength(1)
    },
  )
})
