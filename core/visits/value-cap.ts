import type { Tx } from '../storage/database.ts'
import { type AccountRoom, createAccountRoom } from './account-room.ts'
import { otherValue } from './dimensions.ts'
import type { CountName } from './name-table.ts'

/** Past so many values of one link, dimension and UTC day the rest counts as `(other)`. */
export const maxValuesADay = 1_000

/** How many values are remembered, of all links together. */
const maxRemembered = 200_000

/** Decides which values are still kept apart. */
export interface ValueCap {
  /** The name to count under: the same one, or that of the rest. */
  admit(tx: Tx, linkId: number, name: CountName, hour: number): Promise<CountName>
  /** Call when the transaction failed: what it admitted is not there. */
  forget(): void
}

/** A value that is new to its link, dimension and day needs room there, and room of its account's. */
export function createValueCap(accounts: AccountRoom = createAccountRoom()): ValueCap {
  const days = new Map<string, Set<string>>()
  let remembered = 0

  async function valuesOf(tx: Tx, linkId: number, dimension: string, day: number) {
    const key = `${linkId} ${day} ${dimension}`
    const known = days.get(key)
    if (known) return known
    const values = await readValues(tx, linkId, dimension, day)
    if (remembered > maxRemembered) {
      days.clear()
      remembered = 0
    }
    days.set(key, values)
    remembered += values.size + 1
    return values
  }

  return {
    async admit(tx, linkId, name, hour) {
      const day = Math.floor(hour / 24)
      const values = await valuesOf(tx, linkId, name.dimension, day)
      if (values.has(name.value)) return name
      if (values.size >= maxValuesADay || !(await accounts.take(tx, linkId, day))) {
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

async function readValues(
  tx: Tx,
  linkId: number,
  dimension: string,
  day: number,
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('visit_counts')
    .innerJoin('visit_names as dimensions', 'dimensions.id', 'visit_counts.dimension')
    .innerJoin('visit_names as values', 'values.id', 'visit_counts.value')
    .select('values.name')
    .distinct()
    .where('visit_counts.link_id', '=', linkId)
    .where('dimensions.name', '=', dimension)
    .where('values.name', '!=', otherValue)
    .where('visit_counts.bucket', '>=', day * 24)
    .where('visit_counts.bucket', '<', (day + 1) * 24)
    .execute()
  return new Set(rows.map(({ name }) => name))
}
