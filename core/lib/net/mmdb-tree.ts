import type { IpFamily } from './ip-address.ts'

/** An MMDB file of which only some is in memory. */
export interface MmdbBytes {
  /** Of the whole file. */
  readonly size: number
  /** Where the byte at this offset of the file and the next eight are in `bytes`; throws beyond the end of the file. */
  locate(at: number): number
  readonly bytes: Buffer
  /** Throws beyond the end of the file. */
  copy(at: number, length: number): Buffer
}

/** The part of the file's metadata that is needed to walk its tree. */
export interface Tree {
  readonly nodeCount: number
  /** In bits: 24, 28 or 32. */
  readonly recordSize: number
  readonly ipVersion: number
}

/** A table remembers the node that this many first bits lead to: walking there would take longer than all the rest. */
const firstBits = 16

/**
 * Returns a function that finds where in an MMDB file the record of an address is, or 0 if there is none. Many
 * addresses share a record. https://maxmind.github.io/MaxMind-DB/#binary-search-tree-section
 */
export function treeIn(
  file: MmdbBytes,
  metadata: Tree,
): (family: IpFamily, words: Uint32Array) => number {
  const { nodeCount, ipVersion } = metadata
  const child = childrenIn(file, metadata)
  /** By the first bits of an address: the node that they lead to; 0 is not known yet. */
  const ofIpv4 = new Uint32Array(2 ** firstBits)
  const ofIpv6 = ipVersion === 4 ? ofIpv4 : new Uint32Array(2 ** firstBits)
  const firstBitOfIpv4 = ipVersion === 4 ? 96 : 0

  function walk(words: Uint32Array, from: number, end: number, start: number): number {
    let node = start
    for (let at = from; at < end && node < nodeCount; at += 1) {
      node = child(node, ((words[at >>> 5] ?? 0) >>> (31 - (at & 31))) & 1)
    }
    return node
  }

  function find(nodes: Uint32Array, words: Uint32Array, firstBit: number, firstWord: number) {
    const first = (words[firstWord] ?? 0) >>> (32 - firstBits)
    const behind = firstWord * 32 + firstBits
    const known = nodes[first] ?? 0
    const node = known === 0 ? walk(words, firstBit, behind, 0) : known
    if (known === 0) nodes[first] = node
    return walk(words, behind, 128, node)
  }

  return (family, words) => {
    // An IPv6 address in a file of IPv4 would be taken for another one.
    if (family === 0 || (family === 6 && ipVersion === 4)) return 0
    const found = family === 4 ? find(ofIpv4, words, firstBitOfIpv4, 3) : find(ofIpv6, words, 0, 0)
    return found > nodeCount ? found : 0
  }
}

/**
 * Walks the whole tree once, and yields the place of a record for each network that has one. Some networks share a part of the tree, which is walked once. Throws if the tree is damaged.
 */
export function* recordsInTree(
  file: MmdbBytes,
  metadata: Tree,
): Generator<number, void, undefined> {
  const { nodeCount, ipVersion } = metadata
  const child = childrenIn(file, metadata)
  const firstBit = ipVersion === 4 ? 96 : 0
  /** How many sides of each node were taken: of those on the way to the present one, one or two. */
  const taken = new Uint8Array(nodeCount)
  const way = [0]
  let reached = 1
  while (way.length > 0) {
    const node = way.at(-1) ?? 0
    const side = taken[node] ?? 0
    const bit = firstBit + way.length - 1
    if (side === 2) {
      taken[node] = walked
      way.pop()
      continue
    }
    taken[node] = side + 1
    const next = child(node, side)
    if (next > nodeCount) yield next
    if (next >= nodeCount || taken[next] === walked) continue
    if (bit === 127 || taken[next] !== 0) throw new Error('its search tree leads in a circle')
    way.push(next)
    reached += 1
  }
  if (reached < nodeCount) {
    throw new Error(`only ${reached} of ${nodeCount} nodes of its search tree can be reached`)
  }
}

const walked = 3

type Child = (node: number, side: number) => number

/** Reads the left (0) or the right (1) record of a node. */
function childrenIn(file: MmdbBytes, { recordSize }: Tree): Child {
  switch (recordSize) {
    case 24:
      return (node, side) => readThree(file, file.locate(node * 6 + side * 3))
    case 28:
      return (node, side) => {
        const at = file.locate(node * 7)
        const middle = file.bytes[at + 3] ?? 0
        const high = side === 0 ? middle >>> 4 : middle & 0x0f
        return high * 0x1000000 + readThree(file, at + side * 4)
      }
    default:
      return (node, side) => {
        const at = file.locate(node * 8 + side * 4)
        return file.bytes.readUInt32BE(at)
      }
  }
}

/** Looking up an address takes some thirty of these. */
function readThree({ bytes }: MmdbBytes, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}
