import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { isOfStorage, isOutOfReach } from '../../../../core/storage/files/out-of-reach.ts'
import { openStorage } from '../../../open-storage.ts'

it('a database that somebody else holds is told from a mistake of ours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const holder = new BetterSqlite3(join(folder, 'held.db'))
  const other = new BetterSqlite3(join(folder, 'held.db'), { timeout: 0 })
  holder.exec('begin exclusive')

  expect(isOutOfReach(thrownBy(() => other.exec('create table it (id)')))).toBe(true)
  expect(isOutOfReach(thrownBy(() => holder.exec('select nonsense')))).toBe(false)
  expect(isOutOfReach(new Error('SQLITE_BUSY'))).toBe(false)
  other.close()
  holder.close()
})

it('a full or read-only disk is known also by what the system says of other files', () => {
  const says = (code: string) => Object.assign(new Error(`${code}: it cannot be written`), { code })
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EBUSY', 'EIO'])
    expect(isOutOfReach(says(code))).toBe(true)
  expect(isOutOfReach(says('ENOENT'))).toBe(false)
  expect(isOutOfReach(new Error('The copy failed', { cause: says('ENOSPC') }))).toBe(true)
})

it('what our own storage fails with is told from what a plugin fails with by itself', async () => {
  const { db, close } = await openStorage()
  onTestFinished(close)
  const failures = await Promise.all([
    db
      .selectFrom('nothing' as 'meta')
      .selectAll()
      .execute()
      .catch(it => it),
    db
      .insertInto('nothing' as 'meta')
      .values({ key: '', value: '' })
      .execute()
      .catch(it => it),
    db
      .transaction()
      .execute(tx =>
        tx
          .selectFrom('nothing' as 'meta')
          .selectAll()
          .execute(),
      )
      .catch(it => it),
  ])
  expect(failures.map(isOfStorage)).toEqual([true, true, true])
  expect(isOfStorage(new Error('Mine', { cause: failures[0] }))).toBe(true)
  const own = new BetterSqlite3(':memory:')
  expect(isOfStorage(thrownBy(() => own.exec('select nonsense')))).toBe(false)
  own.close()
})

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
