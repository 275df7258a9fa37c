import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

/** The record of a network: texts, and objects and lists of them. */
export interface PlaceRecord {
  readonly [key: string]: string | PlaceRecord | readonly PlaceRecord[]
}

/** Records by network as a CIDR; IPv4 networks are allowed in an IPv6 file too. */
export type Networks = Readonly<Record<string, PlaceRecord>>

/** The metadata of a file. */
export interface MmdbOptions {
  readonly ipVersion?: 4 | 6
  /** Such as `GeoLite2-City`. */
  readonly type?: string
  /** Seconds since 1970 UTC; not written by default. */
  readonly buildEpoch?: number
}

/** A small MMDB file, removed after the test. */
export function mmdbFile(networks: Networks, options?: MmdbOptions): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-mmdb-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'places.mmdb')
  writeFileSync(file, mmdb(networks, options))
  return file
}

/** The bytes of a file as in https://maxmind.github.io/MaxMind-DB/, with records of 24 bits. */
export function mmdb(
  networks: Networks,
  { ipVersion = 6, type = 'Test', buildEpoch }: MmdbOptions = {},
): Buffer {
  const nodes: [Child, Child][] = [[undefined, undefined]]
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [cidr, record] of Object.entries(networks)) {
    const encoded = value(record)
    place(nodes, bitsOf(cidr, ipVersion), { offset: dataBytes })
    data.push(encoded)
    dataBytes += encoded.length
  }
  const tree = nodes.flat().map(child => uint24(recordOf(child, nodes.length)))
  const metadata = value({
    binary_format_major_version: 2,
    database_type: type,
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
    ...(buildEpoch !== undefined && { build_epoch: buildEpoch }),
  })
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([...tree, Buffer.alloc(16), ...data, marker, metadata])
}

/** The number of a node, an offset in the data, or no record. */
type Child = number | { readonly offset: number } | undefined

function place(nodes: [Child, Child][], bits: readonly (0 | 1)[], leaf: Child): void {
  let here = 0
  for (const [depth, bit] of bits.entries()) {
    const node = nodes[here] as [Child, Child]
    if (depth === bits.length - 1) node[bit] = leaf
    else if (typeof node[bit] !== 'number') node[bit] = nodes.push([undefined, undefined]) - 1
    here = Number(node[bit])
  }
}

function bitsOf(cidr: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address, length] = ipaddr.parseCIDR(cidr)
  const bits = address.toByteArray().flatMap(byte => [...byte.toString(2).padStart(8, '0')])
  const own = bits.slice(0, length).map(bit => (bit === '1' ? 1 : 0))
  const isMapped = address.kind() === 'ipv4' && ipVersion === 6
  return isMapped ? [...Array<0>(96).fill(0), ...own] : own
}

function recordOf(child: Child, nodeCount: number): number {
  if (child === undefined) return nodeCount
  return typeof child === 'number' ? child : nodeCount + 16 + child.offset
}

function uint24(number: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntBE(number, 0, 3)
  return bytes
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

/** A field: three bits for its type, five for its length, then its bytes. Maps and lists are short here. */
function value(it: number | string | object): Buffer {
  if (typeof it === 'number') return Buffer.concat([Buffer.from([(6 << 5) | 4]), uint32(it)])
  if (typeof it === 'string') {
    const text = Buffer.from(it)
    // A length above 28 has a byte of its own, which is enough here.
    const [length, ...more] = text.length < 29 ? [text.length] : [29, text.length - 29]
    return Buffer.concat([Buffer.from([(2 << 5) | length, ...more]), text])
  }
  // Types above seven have a byte of their own.
  if (Array.isArray(it)) return Buffer.concat([Buffer.from([it.length, 11 - 7]), ...it.map(value)])
  const entries = Object.entries(it)
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...entries.flat().map(value)])
}
