import { causesOf } from '../../lib/caught.ts'
import { isOutOfReach, ofStorage } from './out-of-reach.ts'

/**
 * Error codes for data that cannot be right, of SQLite: https://sqlite.org/rescode.html, and of PostgreSQL:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const damaged = /^(SQLITE_(CORRUPT|NOTADB)|XX00[12]$)/

/** Whether an error says that a database is damaged. */
export function isDamage(error: unknown): boolean {
  return causesOf(error).some(it => 'code' in it && damaged.test(String(it.code)))
}

/**
 * Whether the data cannot be read or written now. It may be damaged, too: SQLite says so of each page that its disk fails to
 * read (EIO).
 */
export function isStorageTrouble(error: unknown): boolean {
  return isOutOfReach(error) || isDamage(error)
}

/**
 * Remembers that a database was found to be damaged, by any connection. SQLite says so too if its disk cannot be read for a
 * moment, so what was found is taken back once all of the database could be read.
 */
export interface Damage {
  report(error: unknown): void
  /** Forgets what was found: all of the database was read, and is well. */
  refute(): void
  /** Runs `work`, and notes if the database reports damage. */
  watch<T>(work: () => T): T
  /** What to do if it is damaged. */
  readonly remedy: string
  /** The error when the damage was found; undefined if none is known. */
  found(): string | undefined
  /** Calls `tell` whenever damage is found, once until it is refuted, and at once if it was found before. */
  onFound(tell: (why: string) => void): void
}

export function createDamage(
  remedy = 'Linnet reads all of it again by itself, in case only the disk failed for a moment. ' +
    'If this stays, stop Linnet and restore a backup: linnet restore <backup>',
): Damage {
  const listeners: ((why: string) => void)[] = []
  let found: string | undefined

  const damage: Damage = {
    remedy,
    report(error) {
      ofStorage(error)
      if (found !== undefined || !isDamage(error)) return
      const why = (error as Error).message
      found = why
      for (const tell of listeners) tell(why)
    },
    refute() {
      found = undefined
    },
    watch(work) {
      try {
        return work()
      } catch (error) {
        damage.report(error)
        throw error
      }
    },
    found: () => found,
    onFound(tell) {
      listeners.push(tell)
      if (found !== undefined) tell(found)
    },
  }
  return damage
}
