import { compileOnce, type Places } from '../lib/compile-once.ts'
import { type Refusal, refuse } from '../plugin/outcomes.ts'
import { type Database, type Steps, step, type Tx } from '../storage/database.ts'

/** What an account used in the present calendar month of UTC. */
export interface Usage {
  readonly linksCreatedThisMonth: number
  readonly visitsTrackedThisMonth: number
}

/** What the core itself counts; plugins count everything else in `usage`. */
export const countedByCore: readonly string[] = [
  'linksCreatedThisMonth',
  'visitsTrackedThisMonth',
] satisfies (keyof Usage)[]

/** The calendar month of UTC that a moment falls in: `2026-11`. */
export function periodOf(at: Date): string {
  return `${at.getUTCFullYear()}-${String(at.getUTCMonth() + 1).padStart(2, '0')}`
}

/** What an account used so far this month. */
export async function usageOf(db: Database, accountId: number, now: () => Date): Promise<Usage> {
  return (await usageIn(db, [accountId], periodOf(now()))).get(accountId) ?? noUsage
}

export const noUsage: Usage = { linksCreatedThisMonth: 0, visitsTrackedThisMonth: 0 }

/** What accounts used in a month, without accounts that used nothing. */
export async function usageIn(
  db: Database,
  accountIds: readonly number[],
  period: string,
): Promise<ReadonlyMap<number, Usage>> {
  const rows = await usageRows(db, accountIds, period).execute()
  return new Map(
    rows.map(row => [
      row.account_id,
      {
        linksCreatedThisMonth: row.links_created,
        visitsTrackedThisMonth: row.visits_tracked,
      },
    ]),
  )
}

function usageRows(db: Database, accountIds: readonly number[], period: string) {
  return db
    .selectFrom('usage')
    .select(['account_id', 'links_created', 'visits_tracked'])
    .where('account_id', 'in', accountIds)
    .where('period', '=', period)
}

/**
 * Count new links in the transaction that makes them. Refused, with nothing counted: `plan_limit_reached`, if
 * there would be more than `max` this month. One statement both checks and counts, so that requests at the same
 * moment cannot pass the limit together.
 */
export function* countLinksCreated(
  tx: Tx,
  accountId: number,
  max: number,
  count: number,
  now: () => Date,
): Steps<Refusal | undefined> {
  const period = periodOf(now())
  if (count <= max) {
    const values = { accountId, period, count, mostBefore: max - count }
    const { rows } = yield* step(addToUsage.withValues(tx, values))
    if (rows.length > 0) return undefined
  }
  const { rows } = yield* step(usageRows(tx, [accountId], period).compile())
  return limitReached(max, rows[0]?.links_created ?? 0)
}

const addToUsage = compileOnce(
  (
    db: Database,
    it: Places<{ accountId: number; period: string; count: number; mostBefore: number }>,
  ) =>
    db
      .insertInto('usage')
      .values({
        account_id: it.accountId,
        period: it.period,
        links_created: it.count,
        visits_tracked: 0,
      })
      .onConflict(conflict =>
        conflict
          .columns(['account_id', 'period'])
          .doUpdateSet(({ eb }) => ({ links_created: eb('usage.links_created', '+', it.count) }))
          .where('usage.links_created', '<=', it.mostBefore),
      )
      .returning('links_created'),
)

function limitReached(limit: number, used: number): Refusal {
  const detail = `Your plan allows ${limit} new links per month, and you have created ${used}. The count starts again on the first day of next month (UTC).`
  return refuse('plan_limit_reached', detail, 403, undefined, {
    limitName: 'limits.maxLinksCreatedPerMonth',
    limit,
    used,
  })
}

/**
 * From here to the end of the transaction, nobody else who takes a turn can change what the account has. SQLite
 * lets only one write at a time anyway; databases that lock rows make others wait at this write, which changes
 * nothing.
 */
export async function takeTurn(tx: Tx, accountId: number): Promise<void> {
  await tx
    .updateTable('accounts')
    .set(({ ref }) => ({ is_admin: ref('is_admin') }))
    .where('id', '=', accountId)
    .execute()
}
