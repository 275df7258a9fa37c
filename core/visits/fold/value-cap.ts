import { inChunks } from '../../lib/chunks.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { Tx } from '../../storage/database.ts'
import { otherValue } from '../facts/dimensions.ts'
import { allTimeBucket, undatedBucket } from '../tables/counts-table.ts'
import { eachCount } from '../tables/packed-counts.ts'
import type { CountName } from '../wire/name-table.ts'
import { countAt, countLength, type VisitBatch } from '../wire/visit-batch.ts'
import { type AccountRoom, createAccountRoom } from './account-room.ts'
import type { VisitedLink } from './add-to-totals.ts'
import { CountsToAdd } from './counts-to-add.ts'

/** How many values of a link, dimension and UTC day are counted separately; the rest counts as `(other)`. */
export const maxValuesADay = 1_000

/** How many values to remember, over all links. */
const maxRemembered = memoryShares.countedValues

/** A link and its account, by row id. */
export interface OwnedLink {
  readonly linkId: number
  readonly accountId: number
}

/** Decides which values are counted separately. */
export interface ValueCap {
  /** Whether the value is known to be counted separately, or needs no room. */
  knows(linkId: number, name: CountName, hour: number): boolean
  /** The name to count under: the same one, or `(other)`. */
  admit(tx: Tx, link: OwnedLink, name: CountName, hour: number): Promise<CountName>
  /** Call this when the transaction failed: nothing was admitted. */
  forget(): void
}

/** Values by dimension. */
type ValuesOfDay = Map<string, Set<string>>

/** A value that is new to its link, dimension and day needs room there, and in its account. */
export function createValueCap(accounts: AccountRoom = createAccountRoom()): ValueCap {
  const days = new Map<string, ValuesOfDay>()
  let remembered = 0

  async function valuesOf(tx: Tx, linkId: number, day: number): Promise<ValuesOfDay> {
    const known = days.get(keyOf(linkId, day))
    if (known) return known
    const values = await readValues(tx, linkId, day)
    if (remembered > maxRemembered) {
      days.clear()
      remembered = 0
    }
    days.set(keyOf(linkId, day), values)
    for (const { size } of values.values()) remembered += size
    remembered += 1
    return values
  }

  return {
    knows: (linkId, { dimension, value }, hour) =>
      value === '' ||
      days
        .get(keyOf(linkId, dayOf(hour)))
        ?.get(dimension)
        ?.has(value) === true,
    async admit(tx, { linkId, accountId }, name, hour) {
      const ofDay = await valuesOf(tx, linkId, dayOf(hour))
      const values = ofDay.get(name.dimension) ?? new Set()
      ofDay.set(name.dimension, values)
      if (values.has(name.value)) return name
      if (values.size >= maxValuesADay || !(await accounts.take(tx, accountId, dayOf(hour)))) {
        return { ...name, value: otherValue }
      }
      values.add(name.value)
      remembered += 1
      return name
    },
    forget() {
      days.clear()
      remembered = 0
      accounts.forget()
    },
  }
}

function keyOf(linkId: number, day: number): string {
  return `${linkId} ${day}`
}

function dayOf(hour: number): number {
  return Math.floor(hour / 24)
}

async function readValues(tx: Tx, linkId: number, day: number): Promise<ValuesOfDay> {
  const rows = await tx
    .selectFrom('link_counts')
    .select('packed')
    .where('owner_id', '=', linkId)
    .where('bucket', '>=', day * 24)
    .where('bucket', '<', (day + 1) * 24)
    .execute()
  const counted = new Map<number, Set<number>>()
  for (const { packed } of rows) {
    eachCount(packed, dimension => {
      const values = counted.get(dimension) ?? new Set()
      counted.set(dimension, values)
      return value => values.add(value)
    })
  }
  return spellOut(tx, counted)
}

async function spellOut(
  tx: Tx,
  counted: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<ValuesOfDay> {
  const names = new Map<number, string>()
  const ids = new Set([...counted].flatMap(([dimension, values]) => [dimension, ...values]))
  for (const chunk of inChunks([...ids])) {
    const rows = await tx.selectFrom('visit_names').selectAll().where('id', 'in', chunk).execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return new Map(
    Array.from(counted, ([dimension, values]) => [
      names.get(dimension) ?? '',
      new Set(Array.from(values, id => names.get(id) ?? '').filter(it => it !== otherValue)),
    ]),
  )
}

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
      if (name.summed || hour === undatedBucket)
        kept.add(kept.rowOf(linkId, allTimeBucket), counted, count)
    }
  }
  return kept
}
