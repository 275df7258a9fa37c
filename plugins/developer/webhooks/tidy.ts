import { eventsLost } from './chosen-events.ts'
import { deliveries, messages, type OwnContext, open, webhooks } from './tables.ts'
import { accountsOf, hearForWebhooks, keep, keptMs, messageOf } from './tell-webhooks.ts'

/** How many bytes of messages are kept for a webhook at most. */
const mostBytes = 256 * 1024 * 1024

/** How many messages are deleted with one statement. */
const atOnce = 500

/** Deletes what is old, what is too much, and what tells of accounts that are gone. */
export async function tidy(context: OwnContext, most = mostBytes): Promise<void> {
  const { db, now, log, signal } = context
  const old = now().getTime() - keptMs
  await deleteMessages(context, it => it.where('at', '<', old))
  const rows = await db.selectFrom(webhooks).selectAll().execute()
  for (const webhook of rows) {
    if (signal.aborted) return
    const lost = await dropOldest(webhook.id, most, context)
    if (lost === 0) continue
    log.warn('Messages to a webhook were dropped, because too many waited', {
      webhook: webhook.id,
      dropped: lost,
    })
    const told = {
      ...{ id: `evt_${crypto.randomUUID()}`, type: eventsLost, at: now().toISOString() },
      ...{ accountId: webhook.account_id, actor: { kind: 'system' } as const },
      ...{ before: null, after: { count: lost } },
    }
    await keep(messageOf(told, context), [webhook], context)
  }
  await deleteMessages(context, it =>
    it.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(deliveries)
            .select('webhook_id')
            .whereRef(`${deliveries}.message_id`, '=', `${messages}.id`),
        ),
      ),
    ),
  )
  await forgetAccounts(context)
  await hearForWebhooks(context)
}

/** Drops the oldest messages to a webhook beyond so many bytes. Resolves to how many of them were still to be sent. */
async function dropOldest(id: number, most: number, { db }: OwnContext): Promise<number> {
  const own = db.selectFrom(deliveries).where('webhook_id', '=', id)
  const { all } = await own
    .select(({ fn }) => fn.sum<number | null>('bytes').as('all'))
    .executeTakeFirstOrThrow()
  if (Number(all) <= most) return 0
  const sums = own.select([
    'message_id',
    ({ fn }) =>
      fn
        .sum<number>('bytes')
        .over(over => over.orderBy('message_id', 'desc'))
        .as('newer'),
  ])
  const last = await db
    .selectFrom(sums.as('sums'))
    .select('message_id')
    .where('newer', '>', most)
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return 0
  const dropped = await db
    .deleteFrom(deliveries)
    .where('webhook_id', '=', id)
    .where('message_id', '<=', last.message_id)
    .returning('state')
    .execute()
  await raiseFirst(id, { db })
  return dropped.filter(({ state }) => open.includes(state)).length
}

/** What waited behind a message that was dropped is next. */
async function raiseFirst(id: number, { db }: Pick<OwnContext, 'db'>): Promise<void> {
  const isFirst = db
    .selectFrom(`${deliveries} as other`)
    .select(({ fn }) => fn.min('other.message_id').as('first'))
    .where('other.webhook_id', '=', id)
    .where('other.state', 'in', [...open])
    .groupBy('other.thing')
  await db
    .updateTable(deliveries)
    .set({ state: 'waiting' })
    .where('webhook_id', '=', id)
    .where('state', '=', 'behind')
    .where('message_id', 'in', isFirst)
    .execute()
}

/** What was sent of an account is deleted with it. What is still to be sent, as that it is gone, is deleted once it was. */
async function forgetAccounts(context: OwnContext): Promise<void> {
  const { db, unstable } = context
  const rows = await db.selectFrom(messages).select('account_id').distinct().execute()
  const ids = rows.flatMap(({ account_id }) => (account_id === null ? [] : Number(account_id)))
  const known = await accountsOf(ids, unstable)
  for (const id of ids.filter(it => !known.has(it))) {
    await deleteMessages(context, it =>
      it.where('account_id', '=', id).where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom(deliveries)
              .select('webhook_id')
              .whereRef(`${deliveries}.message_id`, '=', `${messages}.id`)
              .where('state', 'in', [...open]),
          ),
        ),
      ),
    )
  }
}

/** Deletes messages, and with them their deliveries, some at a time: others write meanwhile. */
async function deleteMessages(
  { db, signal }: OwnContext,
  which: (all: ReturnType<typeof idsOf>) => ReturnType<typeof idsOf>,
): Promise<void> {
  while (!signal.aborted) {
    const some = await which(idsOf(db)).orderBy('id').limit(atOnce).execute()
    if (some.length > 0) {
      await db
        .deleteFrom(messages)
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .execute()
    }
    if (some.length < atOnce) return
  }
}

const idsOf = (db: OwnContext['db']) => db.selectFrom(messages).select('id')
