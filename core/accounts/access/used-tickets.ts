import type { Ticket } from '../../lib/tickets.ts'
import type { Database } from '../../storage/database.ts'

const dayMs = 86_400_000

/** Use up a ticket, on whichever server. False if it was used before. */
export async function spendTicket(
  db: Database,
  { id, endsAt }: Pick<Ticket<unknown>, 'id' | 'endsAt'>,
  now: () => Date,
): Promise<boolean> {
  // A day longer than they work, in case the clock is set back.
  await db
    .deleteFrom('used_tickets')
    .where('ends_at', '<', now().getTime() - dayMs)
    .execute()
  const row = await db
    .insertInto('used_tickets')
    .values({ id, ends_at: endsAt })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
