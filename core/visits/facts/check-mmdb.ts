import type { Response } from 'maxmind'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { createIdSet } from '../../lib/memory/id-set.ts'
import { type MmdbReader, mmdbReader } from '../../lib/net/mmdb-reader.ts'
import { recordsInTree } from '../../lib/net/mmdb-tree.ts'
import type { PlaceFact } from '../../plugin.ts'
import { openPages } from './mmdb-file.ts'
import { readPlace } from './place.ts'

/** The zeros between the tree and the data. */
const gapBytes = 16

/** How many networks to look at before others get their turn: about a millisecond. */
const slice = 500

/**
 * Reads all of an MMDB file: the whole search tree, and each record once. Returns which facts its records contain. Throws
 * what is damaged. Redirects get their turn meanwhile, because this takes seconds.
 */
export async function checkMmdb(path: string): Promise<ReadonlySet<PlaceFact>> {
  const file = openPages(path)
  const reader = mmdbReader(file)
  const { metadata } = reader
  const { searchTreeSize, nodeCount } = metadata
  const dataAt = searchTreeSize + gapBytes
  if (file.copy(searchTreeSize, gapBytes).some(byte => byte !== 0)) {
    throw new Error('its search tree does not end where it says')
  }
  const facts = new Set<PlaceFact>()
  const known = createIdSet()
  let looked = 0
  for (const record of recordsInTree(file, metadata)) {
    looked += 1
    if (looked % slice === 0) await yieldToRedirects()
    const at = record - nodeCount - gapBytes
    if (at < 0 || dataAt + at >= file.size) throw new Error('its search tree leads out of the file')
    if (known.has(at)) continue
    known.add(at)
    const { country, city } = readPlace(read(reader, record))
    if (country !== undefined) facts.add('place')
    if (city !== undefined) facts.add('city')
  }
  return facts
}

function read({ record: recordAt }: MmdbReader, record: number): Response {
  try {
    const found = recordAt(record)
    if (typeof found === 'object' && found !== null) return found
  } catch {
    // The library names an offset, which helps nobody.
  }
  throw new Error('a record in it cannot be read')
}
