import type { IpFamily } from './ip-address.ts'

/** The part of the file's metadata that is needed to walk its tree. */
export interface Tree {
  readonly nodeCount: number
  /** In bits: 24, 28 or 32. */
  readonly recordSize: number
  readonly ipVersion: number
}

/** A table leads from this many first bits straight to a node: walking there would take longer than all the rest. */
const firstBits = 16

/**
 * Returns a function that finds where in an MMDB file the record of an address is, or 0 if there is none. Many
 * addresses share a record. https://maxmind.github.io/MaxMind-DB/#binary-search-tree-section
 */
export function treeIn(
  bytes: Buffer,
  metadata: Tree,
): (family: IpFamily, words: Uint32Array) => number {
  const { nodeCount, ipVersion } = metadata
  const child = childrenIn(bytes, metadata)
  let start = 0
  for (let bit = ipVersion === 4 ? 96 : 0; bit < 96 && start < nodeCount; bit += 1) {
    start = child(start, 0)
  }
  const ofIpv4 = nodesBehind(start, nodeCount, child)
  const ofIpv6 = ipVersion === 4 ? ofIpv4 : nodesBehind(0, nodeCount, child)

  function walk(nodes: Uint32Array, words: Uint32Array, firstWord: number): number {
    const first = words[firstWord] ?? 0
    let node = nodes[first >>> (32 - firstBits)] ?? 0
    for (let at = firstWord * 32 + firstBits; at < 128 && node < nodeCount; at += 1) {
      node = child(node, ((words[at >>> 5] ?? 0) >>> (31 - (at & 31))) & 1)
    }
    return node
  }

  return (family, words) => {
    // An IPv6 address in a file of IPv4 would be taken for another one.
    if (family === 0 || (family === 6 && ipVersion === 4)) return 0
    const found = family === 4 ? walk(ofIpv4, words, 3) : walk(ofIpv6, words, 0)
    return found > nodeCount ? found : 0
  }
}

/** The node that each value of the first bits leads to from `start`; the walk may be over by then. */
function nodesBehind(start: number, nodeCount: number, child: Child): Uint32Array {
  let nodes = Uint32Array.of(start)
  for (let bit = 0; bit < firstBits; bit += 1) {
    const behind = new Uint32Array(nodes.length * 2)
    for (const [at, node] of nodes.entries()) {
      behind[at * 2] = node < nodeCount ? child(node, 0) : node
      behind[at * 2 + 1] = node < nodeCount ? child(node, 1) : node
    }
    nodes = behind
  }
  return nodes
}

/**
 * Walks the whole tree once, and yields the place of a record for each network that has one, with its first address in
 * `words`. Some networks share a part of the tree, which is walked once. Throws if the tree is damaged.
 */
export function* recordsInTree(
  bytes: Buffer,
  metadata: Tree,
  words: Uint32Array,
): Generator<number, void, undefined> {
  const { nodeCount, ipVersion } = metadata
  const child = childrenIn(bytes, metadata)
  const firstBit = ipVersion === 4 ? 96 : 0
  /** How many sides of each node were taken: of those on the way to the present one, one or two. */
  const taken = new Uint8Array(nodeCount)
  const way = [0]
  let reached = 1
  words.fill(0)
  while (way.length > 0) {
    const node = way.at(-1) ?? 0
    const side = taken[node] ?? 0
    const bit = firstBit + way.length - 1
    setBit(words, bit, side === 1)
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

function setBit(words: Uint32Array, bit: number, isSet: boolean): void {
  const mask = 1 << (31 - (bit & 31))
  const word = words[bit >>> 5] ?? 0
  words[bit >>> 5] = isSet ? word | mask : word & ~mask
}

type Child = (node: number, side: number) => number

/** Reads the left (0) or the right (1) record of a node. */
function childrenIn(bytes: Buffer, { recordSize }: Tree): Child {
  switch (recordSize) {
    case 24:
      return (node, side) => readThree(bytes, node * 6 + side * 3)
    case 28:
      return (node, side) => {
        const at = node * 7
        const middle = bytes[at + 3] ?? 0
        const high = side === 0 ? middle >>> 4 : middle & 0x0f
        return high * 0x1000000 + readThree(bytes, at + side * 4)
      }
    default:
      return (node, side) => bytes.readUInt32BE(node * 8 + side * 4)
  }
}

/** Looking up an address takes some thirty of these. */
function readThree(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}
