/**
 * What is said of bytes that cannot be right, by SQLite: https://sqlite.org/rescode.html, and by PostgreSQL:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const damaged = /^(SQLITE_(CORRUPT|NOTADB)|XX00[12]$)/

/** Whether an error says that a database is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && damaged.test(String(error.code))) || isDamage(error.cause)
}

/** Remembers that a database was found to be damaged, by whatever connection: that does not pass. */
export interface Damage {
  report(error: unknown): void
  /** Do something with the database, and note when it says that it is damaged. */
  watch<T>(work: () => T): T
  /** What helps when it is. */
  readonly remedy: string
  /** What was said when it was found; undefined: nothing is known to be wrong. */
  found(): string | undefined
  /** Called once, when it is found; at once when it was before. */
  onFound(tell: (why: string) => void): void
}

export function createDamage(
  remedy = 'Stop Linnet and restore a backup: linnet restore <backup>',
): Damage {
  const listeners: ((why: string) => void)[] = []
  let found: string | undefined

  const damage: Damage = {
    remedy,
    report(error) {
      if (found !== undefined || !isDamage(error)) return
      const why = (error as Error).message
      found = why
      for (const tell of listeners) tell(why)
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
