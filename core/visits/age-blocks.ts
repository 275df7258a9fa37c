import type { Tx } from '../storage/database.ts'
import { blockOf } from './blocks.ts'
import { inChunks } from './chunks.ts'

/** A count of an account, as a row of `account_counts` has it. */
export interface AccountCount {
  /** The row of its account. */
  readonly owner: number
  readonly dimension: number
  readonly bucket: number
  readonly value: number
  readonly count: number
}

/**
 * Have the blocks of accounts follow when some of their counts become others. Hours that are folded into
 * their day change no block, and nothing is written; a block that nothing is left of goes.
 */
export async function ageBlocks(
  tx: Tx,
  before: readonly AccountCount[],
  after: readonly AccountCount[],
): Promise<void> {
  const changes = new Map<string, AccountCount>()
  const change = (row: AccountCount, count: number) => {
    const bucket = blockOf(row.bucket)
    const key = `${row.owner} ${row.dimension} ${bucket} ${row.value}`
    changes.set(key, { ...row, bucket, count: (changes.get(key)?.count ?? 0) + count })
  }
  for (const row of before) change(row, -row.count)
  for (const row of after) change(row, Number(row.count))
  const takenBack = new Set(before.filter(({ count }) => Number(count) === 0).map(blockKeyOf))

  const changed = [...changes].filter(([, { count }]) => count !== 0).map(([, row]) => row)
  for (const rows of inChunks(changed)) await add(tx, rows)
  const perhapsEmpty = [...changes]
    .filter(([key, { count }]) => count < 0 || takenBack.has(key))
    .map(([, row]) => row)
  for (const rows of inChunks(perhapsEmpty)) await removeEmpty(tx, rows)
}

function blockKeyOf({ owner, dimension, bucket, value }: AccountCount): string {
  return `${owner} ${dimension} ${blockOf(bucket)} ${value}`
}

async function add(tx: Tx, rows: readonly AccountCount[]): Promise<void> {
  await tx
    .insertInto('account_blocks')
    .values(rows.map(({ owner, ...row }) => ({ account_id: owner, ...row })))
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'dimension', 'bucket', 'value'])
        .doUpdateSet(({ eb, ref }) => ({
          count: eb('account_blocks.count', '+', ref('excluded.count')),
        })),
    )
    .execute()
}

async function removeEmpty(tx: Tx, rows: readonly AccountCount[]): Promise<void> {
  await tx
    .deleteFrom('account_blocks')
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('account_id', 'dimension', 'bucket', 'value'),
        'in',
        rows.map(row => tuple(row.owner, row.dimension, row.bucket, row.value)),
      ),
    )
    .where('count', '=', 0)
    .execute()
}
