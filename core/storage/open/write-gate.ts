import BetterSqlite3 from 'better-sqlite3'
import { isOutOfReach, ofStorage } from '../files/out-of-reach.ts'

/** Guards the writes of a connection, and remembers how they went. */
export interface WriteGate {
  /** While nothing may be written, throws what SQLite throws on a full disk: it may notice 10 ms late. */
  check(): void
  succeeded(): void
  failed(error: unknown): void
  /** Why nothing can be written, as far as is known. */
  trouble(): string | undefined
}

/** How long a failure counts if nothing was written since, in milliseconds. */
const rememberMs = 60_000

/** How long an open gate is taken to be open, in milliseconds: each write would ask the file system, and fill little. */
const openMs = 10

/** `isShut` says whether nothing may be written. */
export function createWriteGate(
  isShut: () => boolean,
  monotonicMs = () => performance.now(),
): WriteGate {
  let last: { readonly why: string; readonly at: number } | undefined
  let openAt = Number.NEGATIVE_INFINITY

  const gate: WriteGate = {
    check() {
      const now = monotonicMs()
      if (now - openAt < openMs) return
      if (isShut()) throw ofStorage(new BetterSqlite3.SqliteError(full, 'SQLITE_FULL'))
      openAt = now
    },
    succeeded() {
      last = undefined
    },
    failed(error) {
      if (isOutOfReach(ofStorage(error)))
        last = { why: (error as Error).message, at: monotonicMs() }
    },
    trouble() {
      if (isShut()) return full
      return last && monotonicMs() - last.at < rememberMs ? last.why : undefined
    },
  }
  return gate
}

const full = 'the disk is full'
