import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** A data file that must not be opened; the message says what is wrong and what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * Read the header of a SQLite file without opening it as a database, so that a file we refuse stays
 * byte for byte as it is. Offsets: https://sqlite.org/fileformat2.html#the_database_header
 */
export function inspectFile(
  file: string,
  expected: { readonly applicationId: number; readonly newest: number },
): { readonly version: number } {
  const { header, bytes } = readHeader(file)
  if (header.length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw damaged(file, bytes === 0 ? 'it is empty' : 'it does not start as a SQLite database does')
  }
  if (header.readUInt32BE(68) !== expected.applicationId) {
    throw new UnusableDatabase(
      `${file} is a SQLite database, but not one of Linnet's. Set LINNET_DATA_DIR to another folder.`,
    )
  }
  // These never differ; SQLite would take what follows to be wrong instead.
  if (header.toString('hex', 20, 24) !== '00402020') throw damaged(file, 'its header is invalid')
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expectedBytes = header.readUInt32BE(28) * pageBytes
  if (bytes < expectedBytes && !hasLog(file)) {
    throw damaged(file, `it ends after ${bytes} of ${expectedBytes} bytes`)
  }
  const version = header.readUInt32BE(60)
  if (version > expected.newest) {
    throw new UnusableDatabase(
      `${file} was written by a newer Linnet (schema ${version}; this version knows up to ${expected.newest}). ` +
        'Start the newer version, or restore the backup it made before the update.',
    )
  }
  return { version }
}

function readHeader(file: string): { header: Buffer; bytes: number } {
  const descriptor = openSync(file, 'r')
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

/** A database that is damaged, with what to do. */
export function damaged(file: string, why: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} is damaged: ${why}. It was not changed. Restore a backup: linnet restore <copy>`,
  )
}
