import BetterSqlite3 from 'better-sqlite3'
import { UnusableDatabase } from '../files/inspect-file.ts'

/** Throws a sentence if the compiled part of SQLite cannot be loaded, for example because the system is too old. */
export function expectSqlite(): void {
  try {
    new BetterSqlite3(':memory:').close()
  } catch (cause) {
    const [why] = (cause as Error).message.split('\n')
    throw new UnusableDatabase(
      `SQLite cannot be loaded: ${why}. It needs Linux with glibc 2.34 or newer (Debian 12, Ubuntu 22.04) or musl, macOS or ` +
        'Windows, on x64 or arm64. If this machine has that, install Linnet again; else use the container image.',
      { cause },
    )
  }
}
