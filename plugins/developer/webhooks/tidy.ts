import { eventsLost } from './chosen-events.ts'
import { deliveries, messages, type OwnContext, open, webhooks } from './tables.ts'
import { accountsOf, hearForWebhooks, keep, keptMs, messageOf } from './tell-webhooks.ts'

/** How many bytes of messages are kept for a webhook at most. */
const mostBytes = 256 * 1024 * 1024

/** How many messages are looked at or deleted with one statement: on SQLite, redirects wait for each. */
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
  await deleteUnsent(context)
  await forgetAccounts(context)
  await hearForWebhooks(context)
}

/** Drops the oldest messages to a webhook beyond so many bytes. Resolves to how many of them were still to be sent. */
async function dropOldest(id: number, most: number, { db, signal }: OwnContext): Promise<number> {
  const last = await newestBeyond(id, most, db)
  if (last === undefined) return 0
  let lost = 0
  for (let left = true; left && !signal.aborted; ) {
    const oldest = await db
      .selectFrom(deliveries)
      .select(['message_id', 'state'])
      .where('webhook_id', '=', id)
      .where('message_id', '<=', last)
      .orderBy('message_id')
      .limit(atOnce)
      .execute()
    const end = oldest.at(-1)
    if (!end) break
    await db
      .deleteFrom(deliveries)
      .where('webhook_id', '=', id)
      .where('message_id', '<=', end.message_id)
      .execute()
    lost += oldest.filter(({ state }) => open.includes(state)).length
    left = oldest.length === atOnce
  }
  await raiseFirst(id, { db })
  return lost
}

/** The newest message to a webhook for which there is no room in so many bytes; undefined if there is room for all. */
async function newestBeyond(
  id: number,
  most: number,
  db: OwnContext['db'],
): Promise<number | undefined> {
  let bytes = 0
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const newest = await db
      .selectFrom(deliveries)
      .select(['message_id', 'bytes'])
      .where('webhook_id', '=', id)
      .where('message_id', '<', before)
      .orderBy('message_id', 'desc')
      .limit(summedAtOnce)
      .execute()
    for (const delivery of newest) {
      bytes += delivery.bytes
      if (bytes > most) return delivery.message_id
    }
    const last = newest.at(-1)
    if (!last) return undefined
    before = last.message_id
  }
}

const summedAtOnce = 2_000

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
  const ids: number[] = []
  // One after another: to find what is distinct, a database reads the account of each message.
  for (let next: number | null = 0; next !== null; ) {
    const { account } = await db
      .selectFrom(messages)
      .select(({ fn }) => fn.min<number | null>('account_id').as('account'))
      .where('account_id', '>', next)
      .executeTakeFirstOrThrow()
    next = account === null ? null : Number(account)
    if (next !== null) ids.push(next)
  }
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

/** Deletes the messages that are for no webhook any more. */
async function deleteUnsent(context: OwnContext): Promise<void> {
  const { db, signal } = context
  for (let last = 0; !signal.aborted; ) {
    const after = last
    const next = await idsOf(db).where('id', '>', after).orderBy('id').limit(atOnce).execute()
    const end = next.at(-1)
    if (!end) return
    last = end.id
    await deleteMessages(context, it =>
      it
        .where('id', '>', after)
        .where('id', '<=', end.id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom(deliveries)
                .select('webhook_id')
                .whereRef(`${deliveries}.message_id`, '=', `${messages}.id`),
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
    const some = await which(idsOf(db)).limit(atOnce).execute()
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
