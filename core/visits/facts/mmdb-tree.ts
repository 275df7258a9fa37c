import { readIp } from '../../ip-address.ts'

/** What of the file's own words its tree is walked by. */
interface Tree {
  readonly nodeCount: number
  /** In bits: 24, 28 or 32. */
  readonly recordSize: number
  readonly ipVersion: number
}

/**
 * Finds where in an MMDB file the record of an address is: 0 where there is none. Many addresses share a
 * record. https://maxmind.github.io/MaxMind-DB/#binary-search-tree-section
 */
export function treeIn(bytes: Buffer, metadata: Tree): (ip: string) => number {
  const { nodeCount, ipVersion } = metadata
  const child = childrenIn(bytes, metadata)
  const words = new Uint32Array(4)
  const start = ipVersion === 4 ? 0 : walk(0, 0, 96)

  /** From a node on by the bits of the address, from one up to another. */
  function walk(from: number, firstBit: number, endBit: number): number {
    let node = from
    for (let bit = firstBit; bit < endBit && node < nodeCount; bit += 1) {
      node = child(node, ((words[bit >>> 5] ?? 0) >>> (31 - (bit & 31))) & 1)
    }
    return node
  }

  return ip => {
    const family = readIp(ip, words)
    // An IPv6 address in a file of IPv4 would be taken for another one.
    if (family === 0 || (family === 6 && ipVersion === 4)) return 0
    const found = family === 4 ? walk(start, 96, 128) : walk(0, 0, 128)
    return found > nodeCount ? found : 0
  }
}

/** Reads the left (0) or the right (1) record of a node. */
function childrenIn(bytes: Buffer, { recordSize }: Tree): (node: number, side: number) => number {
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

/** An address is some thirty of these away. */
function readThree(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
}
