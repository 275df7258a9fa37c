import type { Tx } from '../../storage/database.ts'
import { allTimeBucket } from '../tables/counts-table.ts'
import { countAt, countLength, type VisitBatch } from '../wire/visit-batch.ts'
import type { VisitedLink } from './add-to-totals.ts'
import { CountsToAdd } from './counts-to-add.ts'
import { maxValuesADay, type ValueCap } from './value-cap.ts'

/**
 * The counts without links that are gone, and with values beyond the cap as `(other)`. A link with fewer visits than
 * the cap cannot have more values, except those of robots, which are in no total.
 */
export async function keepToCap(
  tx: Tx,
  { names, links }: VisitBatch,
  known: ReadonlyMap<number, VisitedLink>,
  cap: ValueCap,
): Promise<CountsToAdd> {
  const expected = links.reduce((sum, { counts }) => sum + counts.length / countLength, 0)
  const kept = new CountsToAdd(expected)
  for (const { linkId, counts } of links) {
    const link = known.get(linkId)
    if (link === undefined) continue
    const isSmall = link.visits <= maxValuesADay
    for (let at = 0; at < counts.length; at += countLength) {
      const { name: number, hour, count } = countAt(counts, at)
      const name = names.name(number)
      const isFree = (isSmall && !name.bots) || cap.knows(linkId, name, hour)
      const admitted = isFree ? name : await cap.admit(tx, { linkId, ...link }, name, hour)
      const counted = admitted === name ? number : names.numberOf(admitted)
      kept.add(kept.rowOf(linkId, hour), counted, count)
      if (name.summed) kept.add(kept.rowOf(linkId, allTimeBucket), counted, count)
    }
  }
  return kept
}
