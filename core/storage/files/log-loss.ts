import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** How far the write-ahead log of a database goes, according to the index next to it. */
interface LogIndex {
  /** Pages in the log that belong to the database. */
  readonly pages: number
  /** How many of them are in the database file too. */
  readonly copied: number
  /** Changes whenever the log restarts from its beginning. */
  readonly salt: string
}

/**
 * Notes how far the log goes before a database is opened, and tells afterwards how many pages of it could not be read
 * back: the index that a crash leaves lists every page that was durable.
 * https://sqlite.org/walformat.html#the_wal_index_file_format
 */
export function watchLog(file: string): { lostPages(): number } {
  const before = readIndex(`${file}-shm`)
  return {
    lostPages() {
      const after = readIndex(`${file}-shm`)
      // Somebody else has the database open, and the log restarted meanwhile: all old pages are in the file.
      const isAnother = after !== undefined && after.pages > 0 && after.salt !== before?.salt
      if (before === undefined || before.pages <= before.copied || isAnother) return 0
      return Math.max(before.pages - (after?.pages ?? 0), 0)
    },
  }
}

/** Undefined if there is no index, or it was not completely written. */
function readIndex(path: string): LogIndex | undefined {
  if (!existsSync(path)) return undefined
  const header = Buffer.alloc(136)
  const descriptor = openSync(path, 'r')
  try {
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return undefined
  } finally {
    closeSync(descriptor)
  }
  // The header is stored twice: if both copies are equal, neither is half-written.
  if (!header.subarray(0, 48).equals(header.subarray(48, 96))) return undefined
  const word = (offset: number) =>
    isLittleEndian ? header.readUInt32LE(offset) : header.readUInt32BE(offset)
  return { pages: word(16), copied: word(96), salt: header.toString('hex', 32, 40) }
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
