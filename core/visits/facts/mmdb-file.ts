import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { Reader, type Response } from 'maxmind'
import { createLru } from '../../lib/memory/lru.ts'
import { remember } from '../../lib/memory/remember.ts'
import { type IpFamily, writeIp } from '../../lib/net/ip-address.ts'
import { treeIn } from '../../lib/net/mmdb-tree.ts'

/** The metadata of an MMDB file. */
export type Metadata = Reader<Response>['metadata']

/** Facts about addresses, in two steps, because thousands of addresses share a record. */
export interface Records<Fact> {
  /** The number of the record of an address, which is given in the form of `readIp`; 0 if there is none. */
  find(family: IpFamily, words: Uint32Array): number
  /** The fact in a record, which was found for this address. */
  fact(record: number, family: IpFamily, words: Uint32Array): Fact | undefined
}

/** What is in a file; the first address that is looked up has the whole file read. */
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
  let records: LazyRecords<Fact> | undefined
  let seen: string | undefined
  let checkAt = Number.NEGATIVE_INFINITY

  function replace(): void {
    try {
      const next = new LazyRecords(path, readMetadata(path), read)
      if (records?.isRead) next.readAll()
      records = next
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

/** The records of a file that takes no memory before an address is looked up. */
class LazyRecords<Fact> implements FileRecords<Fact> {
  readonly #path: string
  readonly #metadata: Metadata
  readonly #read: ReadRecord<Fact>
  #whole: Records<Fact> | undefined

  constructor(path: string, metadata: Metadata, read: ReadRecord<Fact>) {
    this.#path = path
    this.#metadata = metadata
    this.#read = read
  }

  get isRead(): boolean {
    return this.#whole !== undefined
  }

  /** Throws if the file cannot be read. */
  readAll(): Records<Fact> {
    this.#whole ??= recordsIn(readFileSync(this.#path), this.#read)
    return this.#whole
  }

  fits(family: IpFamily): boolean {
    return family === 4 || this.#metadata.ipVersion !== 4
  }

  find(family: IpFamily, words: Uint32Array): number {
    try {
      return this.readAll().find(family, words)
    } catch {
      return 0
    }
  }

  /** A damaged record means an unknown place: counting and routing by other facts go on. */
  fact(record: number, family: IpFamily, words: Uint32Array): Fact | undefined {
    try {
      return record === 0 ? undefined : this.readAll().fact(record, family, words)
    } catch {
      return undefined
    }
  }
}

/** How many facts to remember: decoding a record takes longer than finding it. */
const maxKnown = 20_000

/** Looks addresses up in the bytes of an MMDB file; throws if they are not one. */
function recordsIn<Fact>(bytes: Buffer, read: ReadRecord<Fact>): Records<Fact> {
  const reader = new Reader(bytes, { cache: createLru(1_000) })
  /** The library finds records by address. */
  let asked: IpFamily = 0
  let askedWords: Uint32Array = new Uint32Array(4)
  const factAt = remember((_record: number) => {
    const record = reader.get(writeIp(asked, askedWords))
    return record === null ? undefined : read(record)
  }, maxKnown)
  return {
    find: treeIn(bytes, reader.metadata),
    fact(record, family, words) {
      asked = family
      askedWords = words
      return factAt(record)
    },
  }
}

/** The metadata is at the end of the file, within its last 128 KiB, after these bytes. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytes = 128 * 1024

/** A search tree with a single node and no data. */
const emptyTree = Buffer.alloc(8)

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

/** The metadata of an MMDB file, without reading all of it; throws if it is not one. */
export function readMetadata(path: string): Metadata {
  const { end, size } = readEnd(path)
  if (!end.includes(metadataMark)) throw new Error('it is not an MMDB file')
  // The library expects a whole file, with a tree at its beginning.
  const { metadata } = new Reader(Buffer.concat([emptyTree, end]))
  if (metadata.searchTreeSize > size) throw new Error('it is shorter than it says')
  return metadata
}

function readEnd(path: string): { readonly end: Buffer; readonly size: number } {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const end = Buffer.alloc(Math.min(size, metadataBytes))
    readSync(descriptor, end, 0, end.length, size - end.length)
    return { end, size }
  } finally {
    closeSync(descriptor)
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
