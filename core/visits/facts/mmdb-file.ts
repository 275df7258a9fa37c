import { statSync } from 'node:fs'
import type { Response } from 'maxmind'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { PagedFile } from '../../lib/memory/paged-file.ts'
import { remember } from '../../lib/memory/remember.ts'
import type { IpFamily } from '../../lib/net/ip-address.ts'
import { type MmdbReader, mmdbReader } from '../../lib/net/mmdb-reader.ts'
import { treeIn } from '../../lib/net/mmdb-tree.ts'

/** What an MMDB file says of itself. */
export type Metadata = MmdbReader['metadata']

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
export type ReadRecord<Fact> = (record: Response) => Fact

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

/** Opens an MMDB file to look into all of it; throws if it cannot be read. */
export function openPages(path: string): PagedFile {
  return new PagedFile(path, memoryShares.locationPagesBytes)
}

/**
 * Looks addresses up in an MMDB file; throws if it is not one. What is damaged means an unknown place: counting and
 * routing by other facts go on.
 */
function recordsIn<Fact>(file: PagedFile, read: ReadRecord<Fact>): FileRecords<Fact> {
  const { metadata, record: recordAt } = mmdbReader(file)
  const find = treeIn(file, metadata)
  const factAt = remember((record: number) => read(recordAt(record)), maxKnown)
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

/** How much is read for the metadata, which is at the end of a file, in bytes. */
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
  return mmdbReader(new PagedFile(path, metadataBytes)).metadata
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
