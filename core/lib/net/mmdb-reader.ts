import { Reader, type Response } from 'maxmind'
import type { MmdbBytes } from './mmdb-tree.ts'

/** The longest number in a file, in bytes. */
const longestNumber = 16
/** The library looks for these from the end of the file on, to its beginning if they are not there. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytes = 128 * 1024

/** Reads what an MMDB file says of itself and of addresses. */
export interface MmdbReader extends Pick<Reader<Response>, 'metadata'> {
  /** What is said where the search tree leads to; throws if it is damaged. */
  record(node: number): Response
}

/**
 * The library's reader of a file that is not in memory. It takes a `Buffer` with the whole file, so it gets one that
 * fetches what it is asked for. Throws if this is not an MMDB file.
 */
export function mmdbReader(file: MmdbBytes): MmdbReader {
  const length = Math.min(file.size, metadataBytes)
  if (!file.copy(file.size - length, length).includes(metadataMark)) {
    throw new Error('it is not an MMDB file')
  }
  const reader = readerOf(file)
  if (!reader || reader.metadata.searchTreeSize > file.size) {
    throw new Error('it is shorter than it says')
  }
  // The second half of its `get`: we walk the tree ourselves, because addresses share records.
  const resolve: unknown = Reflect.get(reader, 'resolveDataPointer')
  if (typeof resolve !== 'function') throw new Error('maxmind reads records in another way')
  return {
    metadata: reader.metadata,
    record: node => Reflect.apply(resolve, reader, [node]),
  }
}

/** Undefined if the file ends before its search tree does. */
function readerOf(file: MmdbBytes): Reader<Response> | undefined {
  try {
    return new Reader(new Proxy(Buffer.alloc(0), { get: (_, key) => memberOf(file, key) }))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** What a `Buffer` with the whole file would have by this name. */
function memberOf(file: MmdbBytes, key: string | symbol): unknown {
  if (typeof key === 'symbol') return undefined
  if (key === 'length') return file.size
  if (key === 'toString') {
    return (encoding: BufferEncoding, start: number, end: number) =>
      file.copy(start, end - start).toString(encoding)
  }
  if (key === 'subarray') return (start: number, end: number) => file.copy(start, end - start)
  const at = Number(key)
  if (Number.isInteger(at)) return file.bytes[file.locate(at)]
  return (from: number, ...more: readonly number[]) => {
    const bytes = file.copy(from, Math.min(longestNumber, file.size - from))
    return Reflect.apply(Reflect.get(bytes, key), bytes, [0, ...more])
  }
}
