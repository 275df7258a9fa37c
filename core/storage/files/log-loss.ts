import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** How far the write-ahead log of a database goes, as its index beside it says. */
interface LogIndex {
  /** Pages in the log that belong to the database. */
  readonly pages: number
  /** How many of them the database file has too. */
  readonly copied: number
  /** Is another one when the log begins anew. */
  readonly salt: string
}

/**
 * Notes how far the log goes before a database is opened, and says afterwards how many pages of it could not
 * be read back: the index that a crash leaves tells of each that was durable.
 * https://sqlite.org/walformat.html#the_wal_index_file_format
 */
export function watchLog(file: string): { lostPages(): number } {
  const before = readIndex(`${file}-shm`)
  return {
    lostPages() {
      const after = readIndex(`${file}-shm`)
      // Somebody else has it open, and it began anew meanwhile: all of it is in the file.
      const isAnother = after !== undefined && after.pages > 0 && after.salt !== before?.salt
      if (before === undefined || before.pages <= before.copied || isAnother) return 0
      return Math.max(before.pages - (after?.pages ?? 0), 0)
    },
  }
}

/** Undefined when there is none, or none that was written to its end. */
function readIndex(path: string): LogIndex | undefined {
  if (!existsSync(path)) return undefined
  const header = Buffer.alloc(136)
  const descriptor = openSync(path, 'r')
  try {
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return undefined
  } finally {
    closeSync(descriptor)
  }
  // It is there twice: when both are the same, neither is half-written.
  if (!header.subarray(0, 48).equals(header.subarray(48, 96))) return undefined
  const word = (offset: number) =>
    isLittleEndian ? header.readUInt32LE(offset) : header.readUInt32BE(offset)
  return { pages: word(16), copied: word(96), salt: header.toString('hex', 32, 40) }
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
