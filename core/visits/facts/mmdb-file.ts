import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { Reader, type Response } from 'maxmind'
import { createLru } from '../../lib/memory/lru.ts'
import { remember } from '../../lib/memory/remember.ts'
import { type IpFamily, writeIp } from '../../lib/net/ip-address.ts'
import { treeIn } from '../../lib/net/mmdb-tree.ts'

/** What an MMDB file says of itself. */
export type Metadata = Reader<Response>['metadata']

/** A file of facts about addresses; the format: https://maxmind.github.io/MaxMind-DB/ */
export interface MmdbFile<Fact> {
  /** False when it is not there or cannot be read, or when it is about IPv4 alone and an address is none. */
  fits(family: IpFamily): boolean
  /** What it says of an address, as `readIp` reads one; it is read as a whole when this is first asked. */
  readonly find: Find<Fact>
}

type Find<Fact> = (family: IpFamily, words: Uint32Array) => Fact | undefined

/** What is wanted of a record: worked out once for all addresses that share it. */
export type ReadRecord<Fact> = (record: Response) => Fact

/** How long what is on the disk may be newer than what is known of it, in milliseconds. */
const defaultRecheckMs = 30_000

/**
 * Look into an MMDB file, and into what replaces it: now and then, when it is asked. What replaces it
 * and cannot be read, or is no such file, is left alone, and the file before it goes on answering.
 */
export function openMmdb<Fact>(
  path: string,
  read: ReadRecord<Fact>,
  recheckMs = defaultRecheckMs,
): MmdbFile<Fact> {
  let edition: Edition<Fact> | undefined
  let seen: string | undefined
  let checkAt = Number.NEGATIVE_INFINITY

  function current(): Edition<Fact> | undefined {
    const now = performance.now()
    if (now < checkAt) return edition
    checkAt = now + recheckMs
    const stamp = stampOf(path)
    if (stamp !== seen) edition = replacing(edition, path, read)
    seen = stamp
    return edition
  }

  return {
    fits(family) {
      const found = current()
      return found !== undefined && (family === 4 || found.metadata.ipVersion !== 4)
    },
    find(family, words) {
      try {
        return current()?.find(family, words)
      } catch {
        // A damaged record is an unknown place: what counts or routes by others goes on.
        return undefined
      }
    },
  }
}

/** One state of a file. */
interface Edition<Fact> {
  readonly metadata: Metadata
  isRead(): boolean
  readonly find: Find<Fact>
}

/** What is on the disk now, as much of it as was known of the edition before; or that, if it is broken. */
function replacing<Fact>(
  before: Edition<Fact> | undefined,
  path: string,
  read: ReadRecord<Fact>,
): Edition<Fact> | undefined {
  try {
    return openEdition(path, read, before?.isRead())
  } catch {
    return before
  }
}

function openEdition<Fact>(path: string, read: ReadRecord<Fact>, readNow = false): Edition<Fact> {
  const metadata = readMetadata(path)
  let find = readNow ? finderIn(readFileSync(path), read) : undefined
  return {
    metadata,
    isRead: () => find !== undefined,
    find(family, words) {
      find ??= finderIn(readFileSync(path), read)
      return find(family, words)
    },
  }
}

/** How many facts are remembered: taking a record apart takes longer than finding it. */
const maxKnown = 20_000

/** Looks addresses up in the bytes of an MMDB file; throws when they are none. */
function finderIn<Fact>(bytes: Buffer, read: ReadRecord<Fact>): Find<Fact> {
  const reader = new Reader(bytes, { cache: createLru(1_000) })
  const offsetOf = treeIn(bytes, reader.metadata)
  /** The library finds records by address; all addresses of an offset have the same one. */
  let asked: IpFamily = 0
  let askedWords: Uint32Array = new Uint32Array(4)
  const factAt = remember((_offset: number) => {
    const record = reader.get(writeIp(asked, askedWords))
    return record === null ? undefined : read(record)
  }, maxKnown)
  return (family, words) => {
    const offset = offsetOf(family, words)
    if (offset === 0) return undefined
    asked = family
    askedWords = words
    return factAt(offset)
  }
}

/** The metadata ends the file, within its last 128 KiB, after these bytes. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytes = 128 * 1024

/** A search tree of one node that says nothing. */
const emptyTree = Buffer.alloc(8)

/** What an MMDB file says of itself, without reading all of it; throws when it is none. */
export function readMetadata(path: string): Metadata {
  const { end, size } = readEnd(path)
  if (!end.includes(metadataMark)) throw new Error('it is not an MMDB file')
  // The library wants a whole file, with a tree at its beginning.
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

/** Differs when a file was written or replaced; undefined when there is none to be seen. */
export function stampOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}
