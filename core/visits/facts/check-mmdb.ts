import { ownTurn } from '../../lib/async/own-turn.ts'
import { createIdSet } from '../../lib/memory/id-set.ts'
import type { PagedFile } from '../../lib/memory/paged-file.ts'
import { recordsInTree } from '../../lib/net/mmdb-tree.ts'
import type { MmdbValue } from '../../lib/net/mmdb-value.ts'
import type { PlaceFact } from '../../plugin.ts'
import { gapBytes, type Metadata, metadataIn, openPages, recordIn } from './mmdb-file.ts'
import { readPlace } from './place.ts'

/** How many networks to look at before others get their turn: about a millisecond. */
const slice = 500

/**
 * Reads all of an MMDB file: the whole search tree, and each record once. Returns which facts its records contain. Throws
 * what is damaged. Redirects get their turn meanwhile, because this takes seconds.
 */
export async function checkMmdb(path: string): Promise<ReadonlySet<PlaceFact>> {
  const file = openPages(path)
  const metadata = metadataIn(file)
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
    if (looked % slice === 0) await ownTurn()
    const at = record - nodeCount - gapBytes
    if (at < 0 || dataAt + at >= file.size) throw new Error('its search tree leads out of the file')
    if (known.has(at)) continue
    known.add(at)
    const { country, city } = readPlace(read(file, metadata, record))
    if (country !== undefined) facts.add('place')
    if (city !== undefined) facts.add('city')
  }
  return facts
}

function read(file: PagedFile, metadata: Metadata, record: number): MmdbValue {
  try {
    const found = recordIn(file, metadata, record)
    if (typeof found === 'object') return found
  } catch {
    // An offset in the file helps nobody.
  }
  throw new Error('a record in it cannot be read')
}
