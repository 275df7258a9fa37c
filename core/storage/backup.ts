import { mkdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/**
 * Copy a database before its schema changes, to `backups/before-schema-2-20261120T151200Z.db` beside
 * it. The copy is checked before it gets its name: what has the name is whole.
 */
export async function copyBeforeMigrating(
  file: string,
  version: number,
  now: number,
): Promise<string> {
  const folder = join(dirname(file), 'backups')
  mkdirSync(folder, { recursive: true })
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const copy = join(folder, `before-schema-${version + 1}-${stamp}.db`)
  await copyDatabase(file, copy)
  return copy
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const unfinished = `${to}.unfinished`
  const source = new BetterSqlite3(from, { fileMustExist: true })
  try {
    await source.backup(unfinished)
    check(unfinished)
    await rename(unfinished, to)
  } catch (cause) {
    rmSync(unfinished, { force: true })
    throw new Error(`The database could not be copied to ${to}: ${(cause as Error).message}`, {
      cause,
    })
  } finally {
    source.close()
  }
}

function check(file: string): void {
  const copy = new BetterSqlite3(file)
  try {
    const verdict = copy.pragma('integrity_check', { simple: true })
    if (verdict !== 'ok') throw new Error(`the copy is not whole: ${verdict}`)
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
}
