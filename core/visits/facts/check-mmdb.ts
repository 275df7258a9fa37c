import { readFile } from 'node:fs/promises'
import { Reader, type Response } from 'maxmind'
import { ownTurn } from '../../lib/async/own-turn.ts'
import { createLru } from '../../lib/memory/lru.ts'
import { writeIp } from '../../lib/net/ip-address.ts'
import { recordsInTree } from '../../lib/net/mmdb-tree.ts'
import type { PlaceFact } from '../../plugin.ts'
import { readPlace } from './place.ts'

/** How many networks to look at before others get their turn: about a millisecond. */
const slice = 500

/** The zeros between the tree and the data. */
const gapBytes = 16

/**
 * Reads all of an MMDB file: the whole search tree, and each record once. Returns which facts its records contain. Throws
 * what is damaged. Redirects get their turn meanwhile, because this takes seconds.
 */
export async function checkMmdb(path: string): Promise<ReadonlySet<PlaceFact>> {
  const bytes = await readFile(path)
  const reader = new Reader(bytes, { cache: createLru(1_000) })
  const { searchTreeSize, nodeCount, ipVersion } = reader.metadata
  const dataAt = searchTreeSize + gapBytes
  if (bytes.subarray(searchTreeSize, dataAt).some(byte => byte !== 0)) {
    throw new Error('its search tree does not end where it says')
  }
  const facts = new Set<PlaceFact>()
  const words = new Uint32Array(4)
  const isRead = new Uint8Array(bytes.length - dataAt)
  let looked = 0
  for (const record of recordsInTree(bytes, reader.metadata, words)) {
    looked += 1
    if (looked % slice === 0) await ownTurn()
    const at = record - nodeCount - gapBytes
    if (isRead[at] === 1) continue
    if (isRead[at] === undefined) throw new Error('its search tree leads out of the file')
    isRead[at] = 1
    const { country, city } = readPlace(read(reader, writeIp(ipVersion === 4 ? 4 : 6, words)))
    if (country !== undefined) facts.add('place')
    if (city !== undefined) facts.add('city')
  }
  return facts
}

function read(reader: Reader<Response>, ip: string): Response {
  try {
    const record = reader.get(ip)
    if (typeof record === 'object' && record !== null) return record
  } catch {
    // The library names an offset, which helps nobody.
  }
  throw new Error('a record in it cannot be read')
}
