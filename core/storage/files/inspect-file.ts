import { closeSync, existsSync, fstatSync, readSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { openRegularFileSync } from '../../lib/files/regular-file.ts'
import { UserError } from '../../lib/user-error.ts'

/** A data file that must not be opened; the message says what is wrong and what to do. */
export class UnusableDatabase extends UserError {
  override readonly name = 'UnusableDatabase'
}

/** What to do about a file that must not be opened. */
interface Advice {
  readonly damaged: string
  readonly foreign: string
  readonly newer: string
}

const onDatabase: Advice = {
  damaged: 'It was not changed. Restore a backup: linnet restore <backup>',
  foreign: 'Set LINNET_DATA_DIR to another folder.',
  newer: 'Start the newer version, or restore the backup it made before the update.',
}

/** For a backup that somebody wants to restore. */
export const onBackup: Advice = {
  damaged: 'Nothing was changed. Name another backup.',
  foreign: 'Name a backup that Linnet made.',
  newer: 'Update Linnet first, or name an older backup.',
}

/**
 * Reads the header of a SQLite file without opening it as a database, so that a refused file stays byte for byte as
 * it is. Offsets: https://sqlite.org/fileformat2.html#the_database_header
 */
export function inspectFile(
  file: string,
  expected: { readonly applicationId: number; readonly newest: number },
  advice = onDatabase,
): { readonly version: number } {
  const { header, bytes } = readHeader(file)
  if (header.length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    const why = bytes === 0 ? 'it is empty' : 'it does not start as a SQLite database does'
    throw damaged(file, why, advice)
  }
  if (header.readUInt32BE(68) !== expected.applicationId) {
    throw new UnusableDatabase(
      `${file} is a SQLite database, but not one of Linnet's. ${advice.foreign}`,
    )
  }
  // These bytes never differ; SQLite would report a misleading error.
  if (header.toString('hex', 20, 24) !== '00402020') {
    throw damaged(file, 'its header is invalid', advice)
  }
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expectedBytes = header.readUInt32BE(28) * pageBytes
  if (bytes < expectedBytes && !hasLog(file)) {
    throw damaged(file, `it ends after ${bytes} of ${expectedBytes} bytes`, advice)
  }
  const version = header.readUInt32BE(60)
  if (version > expected.newest) {
    throw new UnusableDatabase(
      `${file} was written by a newer Linnet (schema ${version}; this version knows up to ${expected.newest}). ` +
        advice.newer,
    )
  }
  return { version }
}

function readHeader(file: string): { header: Buffer; bytes: number } {
  const descriptor = openRegularFileSync(file)
  try {
    const header = Buffer.alloc(100)
    const read = readSync(descriptor, header, 0, 100, 0)
    return { header: header.subarray(0, read), bytes: fstatSync(descriptor).size }
  } finally {
    closeSync(descriptor)
  }
}

/** After a crash the write-ahead log may hold pages that the file does not have yet. */
function hasLog(file: string): boolean {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

/** The error for a damaged database, with what to do. */
export function damaged(file: string, why: string, advice = onDatabase): UnusableDatabase {
  return new UnusableDatabase(`${file} is damaged: ${why}. ${advice.damaged}`)
}

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
