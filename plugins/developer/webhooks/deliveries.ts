import { type Expression, sql } from 'kysely'
import {
  type EndpointCall,
  listOf,
  momentSchema,
  pageQuery,
  publicId,
  type Refusal,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../../core/plugin.ts'
import { attempt } from './attempt.ts'
import { holdTurns } from './hold-turns.ts'
import { bodyOf } from './message-body.ts'
import { findWebhook, momentOf } from './own-webhooks.ts'
import {
  type Delivery,
  type DeliveryState,
  deliveries,
  type Message,
  messages,
  type OwnContext,
  open,
  type Webhook,
  webhooks,
} from './tables.ts'

const state = z.enum(['waiting', 'delivered', 'failed', 'missed']).meta({
  description:
    '`waiting`: it is being sent, or will be. `failed`: all attempts failed. `missed`: the webhook was off.',
})

export const deliverySchema = z
  .strictObject({
    id: z.string().meta({
      description: 'The id of the message: receivers get it as `webhook-id`.',
      examples: ['evt_6c1c4f0e-8f7e-4d49-9d1b-2f1f0a4f2d55'],
    }),
    webhookId: z.string().meta({ examples: ['whk_Gv8J65Sx'] }),
    type: z.string().meta({ examples: ['link.created'] }),
    timestamp: z.iso.datetime().meta({ description: 'When it happened.' }),
    state,
    attempts: z.int().min(0),
    nextAttemptAt: z.iso.datetime().nullable(),
    lastAttemptAt: z.iso.datetime().nullable(),
    status: z
      .int()
      .min(100)
      .max(999)
      .nullable()
      .meta({ description: 'The status that the receiver answered last.' }),
    answer: z
      .string()
      .nullable()
      .meta({ description: 'The first 500 characters of what it answered.' }),
    problem: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
    tookMs: z.int().min(0).nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

export const wholeDelivery = z.strictObject({
  data: deliverySchema
    .extend({ body: z.string().meta({ description: 'What is sent, byte by byte.' }) })
    .meta({ id: 'WholeWebhookDelivery' }),
})

export const deliveriesQuery = pageQuery.extend({ state: state.optional() })

export const span = z.strictObject({
  from: momentSchema().meta({ description: 'The first moment, of what happened.' }),
  to: momentSchema().meta({ description: 'The moment before which it ends.' }),
})

type Call<Body = unknown, Query = unknown> = Pick<
  EndpointCall<Body, Query>,
  'caller' | 'params' | 'body' | 'query'
>
type Row = Delivery & Pick<Message, 'event_id' | 'type' | 'at'>

/** The messages to one webhook of the caller, or to all of them, newest first. */
export async function listDeliveries(
  { caller, params: { id }, query }: Call<unknown, z.output<typeof deliveriesQuery>>,
  context: OwnContext,
) {
  const { db } = context
  const own =
    id === undefined
      ? await db
          .selectFrom(webhooks)
          .select('id')
          .where('account_id', '=', caller.accountId)
          .execute()
      : [await findWebhook(caller, id, context)]
  const ids = own.flatMap(it => (it ? it.id : []))
  if (id !== undefined && ids.length === 0) return undefined
  const states: readonly DeliveryState[] | undefined =
    query.state === 'waiting' ? open : query.state && [query.state]
  const all = db.selectFrom(deliveries)
  const found = states ? all.where('state', 'in', [...states]) : all
  let total = 0
  // One after another: each may have thousands.
  for (const it of ids) {
    const { count } = await found
      .where('webhook_id', '=', it)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += Number(count)
  }
  // Few are sorted; of many, SQLite is to go through the messages, which a plus before the column says.
  const mine = total <= sortedAtOnce ? sql.ref('webhook_id') : sql`+${sql.ref('webhook_id')}`
  const order = { by: ['message_id', 'webhook_id'], descending: true }
  const part = await readSlice(
    found
      .where(({ eb }) => eb(mine as Expression<number>, 'in', ids.length > 0 ? ids : [0]))
      .select(['message_id', 'webhook_id']),
    order,
    sliceOf(query),
    total,
  )
  const path = id === undefined ? '/webhook-deliveries' : `/webhooks/${id}/deliveries`
  const items = (await rowsOf(part.rows, db)).map(shown)
  return listOf(items, total, query, `/api/v1${path}`, part.next)
}

const sortedAtOnce = 5_000

/** What is shown is read of the messages of the page alone, and of none before it. */
async function rowsOf(
  keys: readonly Pick<Delivery, 'message_id' | 'webhook_id'>[],
  db: OwnContext['db'],
): Promise<readonly Row[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom(deliveries)
    .innerJoin(messages, `${messages}.id`, 'message_id')
    .selectAll(deliveries)
    .select(['event_id', 'type', 'at'])
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('message_id', 'webhook_id'),
        'in',
        keys.map(it => tuple(it.message_id, it.webhook_id)),
      ),
    )
    .orderBy('message_id', 'desc')
    .orderBy('webhook_id', 'desc')
    .execute()
}

/** One message, with what is sent. */
export async function showDelivery({ caller, params }: Call, context: OwnContext) {
  const found = await findDelivery(caller, params, context)
  return found && { data: { ...shown(found.row), body: found.row.body } }
}

/** Sends a message again, as if it had not been sent: with the same id, before what waits about the same thing. */
export async function redeliver({ caller, params }: Call, context: OwnContext) {
  const { db, now, state } = context
  const found = await findDelivery(caller, params, context)
  if (!found) return undefined
  const { webhook, row } = found
  const refused = await holdTurn(webhook, db)
  if (refused) return refused
  const first = await db
    .selectFrom(deliveries)
    .select('message_id')
    .where('webhook_id', '=', webhook.id)
    .where('thing', '=', row.thing)
    .where('state', '=', 'waiting')
    .where('message_id', '!=', row.message_id)
    .executeTakeFirst()
  const again = {
    ...{ attempts: 0, claimed_at: null, problem: null, due_at: now().getTime() },
    state: first ? ('behind' as const) : ('waiting' as const),
  }
  await db
    .updateTable(deliveries)
    .set(again)
    .where('webhook_id', '=', webhook.id)
    .where('message_id', '=', row.message_id)
    .execute()
  state.wake()
  return { data: shown({ ...row, ...again }) }
}

/** Sends all messages of a span again that the webhook was to get, in their order. */
export async function replay(
  { caller, params: { id = '' }, body: { from, to } }: Call<z.output<typeof span>>,
  context: OwnContext,
) {
  const { db, now, state } = context
  const webhook = await findWebhook(caller, id, context)
  if (!webhook) return undefined
  if (Date.parse(from) >= Date.parse(to)) return emptySpan
  const refused = await holdTurn(webhook, db)
  if (refused) return refused
  let replayed = 0
  // The oldest first, so that others about the same thing are behind them.
  for (let last = 0; ; ) {
    const after = last
    const some = await db
      .selectFrom(deliveries)
      .select('message_id')
      .where('webhook_id', '=', webhook.id)
      .where('message_id', '>', after)
      .orderBy('message_id')
      .limit(replayedAtOnce)
      .execute()
    const end = some.at(-1)
    if (!end) break
    last = end.message_id
    const { numUpdatedRows } = await db
      .updateTable(deliveries)
      .set({ state: 'behind', attempts: 0, claimed_at: null, problem: null })
      .where('webhook_id', '=', webhook.id)
      .where('message_id', '>', after)
      .where('message_id', '<=', last)
      .where('state', 'not in', [...open])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom(messages)
            .select(`${messages}.id`)
            .whereRef(`${messages}.id`, '=', `${deliveries}.message_id`)
            .where('at', '>=', Date.parse(from))
            .where('at', '<', Date.parse(to)),
        ),
      )
      .executeTakeFirstOrThrow()
    replayed += Number(numUpdatedRows)
    if (numUpdatedRows > 0n) await raise(webhook.id, { after, last }, { db, now })
  }
  state.wake()
  return { data: { messages: replayed } }
}

/** So many are changed with one statement: redirects wait for it. */
const replayedAtOnce = 500

/** Of some messages, those behind which others are, and that are behind none, are next. */
async function raise(
  id: number,
  { after, last }: { readonly after: number; readonly last: number },
  { db, now }: Pick<OwnContext, 'db' | 'now'>,
): Promise<void> {
  await db
    .updateTable(deliveries)
    .set({ state: 'waiting', due_at: now().getTime() })
    .where('webhook_id', '=', id)
    .where('message_id', '>', after)
    .where('message_id', '<=', last)
    .where('state', '=', 'behind')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(`${deliveries} as other`)
            .select('other.message_id')
            .where('other.webhook_id', '=', id)
            .whereRef('other.thing', '=', `${deliveries}.thing`)
            .where(({ eb, or, and, ref }) =>
              or([
                eb('other.state', '=', 'waiting'),
                and([
                  eb('other.state', '=', 'behind'),
                  eb('other.message_id', '<', ref(`${deliveries}.message_id`)),
                ]),
              ]),
            ),
        ),
      ),
    )
    .execute()
}

const emptySpan = refuse('validation_failed', 'Must be after from.', 422, 'to')

/** Sends a message that says nothing has happened, at once, and once. */
export async function sendTest({ caller, params: { id = '' } }: Call, context: OwnContext) {
  const { db, now, links } = context
  const webhook = await findWebhook(caller, id, context)
  if (!webhook) return undefined
  const at = now()
  const data = {
    webhook: publicId('whk', webhook.id),
    text: 'This is a test. Nothing has changed.',
  }
  const told = {
    ...{ type: 'webhook.test', at: at.toISOString(), accountId: caller.accountId },
    ...{ actor: { kind: 'system' } as const, before: null, after: data },
  }
  const message = {
    ...{ event_id: `evt_${crypto.randomUUID()}`, type: told.type, thing: 'webhook' },
    ...{ account_id: caller.accountId, at: at.getTime(), body: bodyOf(told, links.apiUrl) },
  }
  const came = await attempt(webhook, message, caller.isAdmin, context, testMs)
  const row = await db.transaction().execute(async tx => {
    const { id: message_id } = await tx
      .insertInto(messages)
      .values(message as Message)
      .returning('id')
      .executeTakeFirstOrThrow()
    return tx
      .insertInto(deliveries)
      .values({
        ...{ webhook_id: webhook.id, message_id, thing: message.thing, attempts: 1 },
        state: came.problem === undefined ? 'delivered' : 'failed',
        ...{ due_at: message.at, claimed_at: null, last_at: now().getTime() },
        ...{ took_ms: came.tookMs, status: came.status, answer: came.answer },
        ...{ problem: came.problem ?? null, bytes: Buffer.byteLength(message.body) },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return { data: shown({ ...row, ...message }) }
}

/** An endpoint has ten seconds. */
const testMs = 8_000

async function findDelivery(
  caller: Call['caller'],
  { webhookId = '', id = '' }: Readonly<Record<string, string>>,
  context: OwnContext,
) {
  const webhook = await findWebhook(caller, webhookId, context)
  if (!webhook) return undefined
  const row = await context.db
    .selectFrom(deliveries)
    .innerJoin(messages, `${messages}.id`, 'message_id')
    .selectAll(deliveries)
    .select(['event_id', 'type', 'at', 'body'])
    .where('webhook_id', '=', webhook.id)
    .where('event_id', '=', id)
    .executeTakeFirst()
  return row && { webhook, row }
}

/** Holds a webhook, so that nobody else decides what is next; a refusal if it is off. */
async function holdTurn({ id }: Webhook, db: OwnContext['db']): Promise<Refusal | undefined> {
  return (await holdTurns(db, [id])).length > 0 ? undefined : switchedOff
}

const switchedOff = refuse('webhook_off', 'The webhook is off. Switch it on first.', 409)

function shown(row: Row): z.input<typeof deliverySchema> {
  const isOpen = open.includes(row.state)
  return {
    id: row.event_id,
    webhookId: publicId('whk', row.webhook_id),
    type: row.type,
    timestamp: new Date(row.at).toISOString(),
    state: row.state === 'behind' ? 'waiting' : row.state,
    attempts: row.attempts,
    nextAttemptAt: isOpen ? momentOf(row.due_at) : null,
    lastAttemptAt: momentOf(row.last_at),
    status: row.status,
    answer: row.answer,
    problem: row.problem,
    tookMs: row.took_ms,
  }
}
