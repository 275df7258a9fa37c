import { type OwnContext, type Webhook, webhooks } from './tables.ts'

/** Holds those of these webhooks that are on, so that nobody else decides what is next for them, and returns them. */
export function holdTurns(
  tx: OwnContext['db'],
  ids: readonly number[],
): Promise<readonly Webhook[]> {
  return tx
    .updateTable(webhooks)
    .set(({ eb }) => ({ turns: eb('turns', '+', 1) }))
    .where('id', 'in', ids)
    .where('is_on', '=', 1)
    .returningAll()
    .execute()
}
