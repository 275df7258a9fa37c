import BetterSqlite3 from 'better-sqlite3'
import { isOutOfReach } from '../files/out-of-reach.ts'

/** Stands before the writes of a connection and remembers how they went. */
export interface WriteGate {
  /** Throws as SQLite does on a full disk while nothing may be written. */
  check(): void
  succeeded(): void
  failed(error: unknown): void
  /** Why nothing can be written, as far as is known. */
  trouble(): string | undefined
}

/** How long a failure tells of how things are, when nobody has written since. */
const rememberMs = 60_000

/** `isShut` says whether nothing may be written. */
export function createWriteGate(
  isShut: () => boolean,
  monotonicMs = () => performance.now(),
): WriteGate {
  let last: { readonly why: string; readonly at: number } | undefined

  const gate: WriteGate = {
    check() {
      if (!isShut()) return
      throw new BetterSqlite3.SqliteError(full, 'SQLITE_FULL')
    },
    succeeded() {
      last = undefined
    },
    failed(error) {
      if (isOutOfReach(error)) last = { why: (error as Error).message, at: monotonicMs() }
    },
    trouble() {
      if (isShut()) return full
      return last && monotonicMs() - last.at < rememberMs ? last.why : undefined
    },
  }
  return gate
}

const full = 'the disk is full'
