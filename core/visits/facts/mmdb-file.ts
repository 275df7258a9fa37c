import { statSync } from 'node:fs'
import { PagedFile } from '../../lib/memory/paged-file.ts'
import { remember } from '../../lib/memory/remember.ts'
import type { IpFamily } from '../../lib/net/ip-address.ts'
import { type Tree, treeIn } from '../../lib/net/mmdb-tree.ts'
import { type MmdbValue, readMmdbValue } from '../../lib/net/mmdb-value.ts'

/** What an MMDB file says of itself. */
export interface Metadata extends Tree {
  /** Such as `GeoLite2-City`. */
  readonly databaseType: string
  /** An invalid date if it does not say. */
  readonly buildEpoch: Date
  /** In bytes. */
  readonly searchTreeSize: number
}

/** Facts about addresses, in two steps, because thousands of addresses share a record. */
export interface Records<Fact> {
  /** The number of the record of an address, which is given in the form of `readIp`; 0 if there is none. */
  find(family: IpFamily, words: Uint32Array): number
  /** The fact in a record. */
  fact(record: number): Fact | undefined
}

/** What is in a file, of which only what was used lately is in memory. */
export interface FileRecords<Fact> extends Records<Fact> {
  /** False if the file has only IPv4 addresses and this is another family. */
  fits(family: IpFamily): boolean
}

/** A file with facts about addresses; the format: https://maxmind.github.io/MaxMind-DB/ */
export interface MmdbFile<Fact> {
  /** Another object after the file was replaced; undefined if the file is missing or unreadable. */
  now(): FileRecords<Fact> | undefined
}

/** Extracts the fact from a record; called once for all addresses that share the record. */
export type ReadRecord<Fact> = (record: MmdbValue) => Fact

/** How often to check whether the file on the disk has changed, in milliseconds. */
const defaultRecheckMs = 30_000

/**
 * Opens an MMDB file, and checks now and then, when it is used, whether it was replaced. If the new file is
 * unreadable or not an MMDB file, the old one stays in use.
 */
export function openMmdb<Fact>(
  path: string,
  read: ReadRecord<Fact>,
  recheckMs = defaultRecheckMs,
): MmdbFile<Fact> {
  let records: FileRecords<Fact> | undefined
  let seen: string | undefined
  let checkAt = Number.NEGATIVE_INFINITY

  function replace(): void {
    try {
      records = recordsIn(openPages(path), read)
    } catch {
      // The old file stays in use.
    }
  }

  return {
    now() {
      const now = performance.now()
      if (now < checkAt) return records
      checkAt = now + recheckMs
      const stamp = stampOf(path)
      if (stamp !== seen) replace()
      seen = stamp
      return records
    },
  }
}

/** How many facts to remember: decoding a record takes longer than finding it. */
const maxKnown = 20_000

/** How much of a file to keep in memory, in bytes. */
const maxPagesBytes = 16 * 1024 * 1024

/** The zeros between the tree and the data. */
export const gapBytes = 16

/** Opens an MMDB file to look into all of it; throws if it cannot be read. */
export function openPages(path: string): PagedFile {
  return new PagedFile(path, maxPagesBytes)
}

/**
 * Looks addresses up in an MMDB file; throws if it is not one. What is damaged means an unknown place: counting and
 * routing by other facts go on.
 */
function recordsIn<Fact>(file: PagedFile, read: ReadRecord<Fact>): FileRecords<Fact> {
  const metadata = metadataIn(file)
  const find = treeIn(file, metadata)
  const factAt = remember((record: number) => read(recordIn(file, metadata, record)), maxKnown)
  return {
    fits: family => family === 4 || metadata.ipVersion !== 4,
    find(family, words) {
      try {
        return find(family, words)
      } catch {
        return 0
      }
    },
    fact(record) {
      try {
        return record === 0 ? undefined : factAt(record)
      } catch {
        return undefined
      }
    },
  }
}

/** What a record says that the search tree leads to; throws if it is damaged. */
export function recordIn(
  file: PagedFile,
  { searchTreeSize, nodeCount }: Metadata,
  record: number,
): MmdbValue {
  return readMmdbValue(file, searchTreeSize + record - nodeCount, searchTreeSize + gapBytes)
}

/** The metadata is at the end of the file, within its last 128 KiB, after these bytes. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytes = 128 * 1024

/** The metadata of an MMDB file; undefined if it cannot be read. */
export function metadataOf(path: string): Metadata | undefined {
  try {
    return readMetadata(path)
  } catch {
    return undefined
  }
}

/** When the data of a file was built; undefined if it does not say. */
export function builtAt({ buildEpoch }: Metadata): Date | undefined {
  return Number.isNaN(buildEpoch.getTime()) ? undefined : buildEpoch
}

/** The metadata of an MMDB file; throws if it is not one. */
export function readMetadata(path: string): Metadata {
  return metadataIn(new PagedFile(path, metadataBytes))
}

/** The metadata of an open MMDB file; throws if it is not one. */
export function metadataIn(file: PagedFile): Metadata {
  const length = Math.min(file.size, metadataBytes)
  const mark = file.copy(file.size - length, length).lastIndexOf(metadataMark)
  if (mark === -1) throw new Error('it is not an MMDB file')
  const start = file.size - length + mark + metadataMark.length
  const said = readMmdbValue(file, start, start) as Readonly<Record<string, MmdbValue>>
  const { node_count: nodeCount, record_size: recordSize, ip_version: ipVersion } = said
  if (typeof nodeCount !== 'number' || (ipVersion !== 4 && ipVersion !== 6)) {
    throw new Error('it does not say how to read it')
  }
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) {
    throw new Error('it does not say how to read it')
  }
  const searchTreeSize = (nodeCount * recordSize) / 4
  if (searchTreeSize > file.size) throw new Error('it is shorter than it says')
  return {
    ...{ nodeCount, recordSize, ipVersion, searchTreeSize },
    databaseType: String(said.database_type ?? ''),
    buildEpoch: new Date(Number(said.build_epoch) * 1_000),
  }
}

/** A stamp that changes when a file is written or replaced; undefined if the file cannot be seen. */
export function stampOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}
