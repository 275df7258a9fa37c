import BetterSqlite3 from 'better-sqlite3'
import { isOutOfReach } from '../files/out-of-reach.ts'

/** Guards the writes of a connection, and remembers how they went. */
export interface WriteGate {
  /** While nothing may be written, throws what SQLite throws on a full disk. */
  check(): void
  succeeded(): void
  failed(error: unknown): void
  /** Why nothing can be written, as far as is known. */
  trouble(): string | undefined
}

/** How long a failure counts if nothing was written since, in milliseconds. */
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
