import { eventsLost, hears, kindsHeard } from './chosen-events.ts'
import { holdTurns } from './hold-turns.ts'
import { bodyOf, type Happened, thingOf } from './message-body.ts'
import {
  deliveries,
  type Message,
  messages,
  type OwnContext,
  open,
  type Telling,
  type Webhook,
  webhooks,
} from './tables.ts'

/** For so long messages are kept: those that were sent, those to come, and those that a webhook misses while it is off. */
export const keptMs = 7 * 86_400_000

/** Something that happened, and under which id it is told. */
export interface Told extends Happened {
  readonly id: string
}

/** Keeps a message for each webhook that hears of what happened, once, however often it is called with the same id. */
export async function tellWebhooks(told: Told, context: Telling): Promise<void> {
  const { type, accountId } = told
  const listening = await listeningTo(type, accountId, context)
  if (listening.length === 0) return
  await keep(messageOf(told, context), listening, context)
}

/** Keeps a message for these webhooks. Those that are off miss it. */
export async function keep(
  message: Omit<Message, 'id'>,
  listening: readonly Webhook[],
  { db }: Pick<Telling, 'db'>,
): Promise<void> {
  const { thing, at } = message
  const bytes = Buffer.byteLength(message.body)
  await db.transaction().execute(async tx => {
    const added = await tx
      .insertInto(messages)
      .values(message as Message)
      .onConflict(it => it.column('event_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return
    const held = await holdTurns(
      tx,
      listening.map(({ id }) => id),
    )
    const on = new Set(held.map(({ id }) => id))
    const busy = await tx
      .selectFrom(deliveries)
      .select('webhook_id')
      .where('webhook_id', 'in', [...on])
      .where('thing', '=', thing)
      .where('state', 'in', [...open])
      .execute()
    const isBusy = new Set(busy.map(it => it.webhook_id))
    const rows = listening.map(({ id }) => ({
      webhook_id: id,
      message_id: added.id,
      thing,
      state: on.has(id) ? (isBusy.has(id) ? ('behind' as const) : ('waiting' as const)) : 'missed',
      attempts: 0,
      due_at: at,
      bytes,
    }))
    await tx
      .insertInto(deliveries)
      .values(rows as never)
      .execute()
  })
}

/** A message for receivers, before it has a row. */
export function messageOf(told: Told, { links }: Pick<Telling, 'links'>): Omit<Message, 'id'> {
  return {
    event_id: told.id,
    type: told.type,
    thing: thingOf(told),
    account_id: told.accountId,
    at: Date.parse(told.at),
    body: bodyOf(told, links.apiUrl),
  }
}

/** The webhooks that hear of something that happened to a thing of an account, or of none. */
async function listeningTo(
  type: string,
  accountId: number | null,
  context: Telling,
): Promise<readonly Webhook[]> {
  const { db, now } = context
  const rows = await db
    .selectFrom(webhooks)
    .selectAll()
    .where(({ eb, or }) =>
      or([
        eb('covers', '=', 'instance'),
        // Nobody knows whose events were lost.
        type === eventsLost ? eb('id', '>', 0) : eb('account_id', '=', accountId ?? 0),
      ]),
    )
    .orderBy('id')
    .execute()
  const offSince = now().getTime() - keptMs
  const chosen = rows.filter(
    ({ events, is_on, off_at }) =>
      hears(JSON.parse(events), type) && (is_on === 1 || (off_at ?? 0) > offSince),
  )
  return entitled(chosen, context)
}

/** Those whose accounts may have them: their plan includes webhooks, and those that cover the instance are of admins. */
async function entitled(
  rows: readonly Webhook[],
  { unstable }: Pick<Telling, 'unstable'>,
): Promise<readonly Webhook[]> {
  if (rows.length === 0 || !unstable.isOn()) return []
  const accounts = await accountsOf(
    rows.map(row => row.account_id),
    unstable,
  )
  const enough = new Set(unstable.plans().flatMap(it => (it.isEnough ? it.slug : [])))
  return rows.filter(({ account_id, covers }) => {
    const account = accounts.get(account_id)
    const isCovered = covers === 'account' || account?.isAdmin
    return account && !account.isSuspended && enough.has(account.plan) && isCovered
  })
}

/** Who accounts are, by row id. */
export async function accountsOf(
  ids: readonly number[],
  { accounts }: Pick<OwnContext['unstable'], 'accounts'>,
) {
  const distinct = [...new Set(ids)]
  const found = []
  for (let from = 0; from < distinct.length; from += 1_000) {
    found.push(...(await accounts.find(distinct.slice(from, from + 1_000))))
  }
  return new Map(found.map(it => [it.accountId, it]))
}

/** Hears of what the webhooks chose, and one that is about to, and of nothing while there are none. */
export async function hearForWebhooks(
  { db, now, unstable }: Pick<Telling, 'db' | 'now' | 'unstable'>,
  more: readonly string[] = [],
): Promise<void> {
  const rows = await db
    .selectFrom(webhooks)
    .select('events')
    .distinct()
    .where(({ eb, or }) => or([eb('is_on', '=', 1), eb('off_at', '>', now().getTime() - keptMs)]))
    .execute()
  const lists = [...rows.map(({ events }) => JSON.parse(events) as string[]), more]
  const kinds = lists.flatMap(kindsHeard)
  // With an account its webhooks go.
  await unstable.hear(kinds.length === 0 ? [] : [...kinds, 'account'])
}
