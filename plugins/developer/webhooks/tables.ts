import type { Context, Fields, Migration } from '../../../core/plugin.ts'

export const webhooks = 'developer_webhooks'
export const messages = 'developer_webhooks_messages'
export const deliveries = 'developer_webhooks_deliveries'

export interface Tables {
  readonly [webhooks]: Webhook
  readonly [messages]: Message
  readonly [deliveries]: Delivery
}

/** An address that is told of events. Times are in milliseconds since 1970 UTC. */
export interface Webhook {
  readonly id: number
  readonly account_id: number
  readonly name: string | null
  readonly url: string
  /** JSON list: what it hears of, such as `link.created`, `tag.*` or `*`. */
  readonly events: string
  /** Whose events: those of its account, or of all. */
  readonly covers: 'account' | 'instance'
  readonly is_on: number
  /** When it was switched off, and why. */
  readonly off_at: number | null
  readonly off_because: OffBecause | null
  /** Hidden; see `context.unstable.secrets`. */
  readonly secret: string
  readonly old_secret: string | null
  /** Until when messages are signed with the old secret, too. */
  readonly old_secret_until: number | null
  /** How many attempts failed since the last that succeeded, and since when. */
  readonly failures: number
  readonly failing_since: number | null
  /** Nothing is sent before. */
  readonly paused_until: number | null
  readonly problem: string | null
  /** Counts what changed which of its deliveries is next: whoever does so holds the row, and so waits for others who do. */
  readonly turns: number
  readonly created_at: number
  readonly updated_at: number
}

/** `asked`: somebody did. `gone`: the receiver answered 410. */
export type OffBecause = 'asked' | 'failing' | 'gone'

/** What is sent: the same to all webhooks that hear of it. */
export interface Message {
  readonly id: number
  /** Such as `evt_0b9c…`: the id of the message for receivers. */
  readonly event_id: string
  readonly type: string
  /** What it is about, such as `link lnk_8rTzQ3nW`: messages about the same are sent one after another. */
  readonly thing: string
  /** Row id of the account that it belongs to. */
  readonly account_id: number | null
  readonly at: number
  readonly body: string
}

/** A message to a webhook. */
export interface Delivery {
  readonly webhook_id: number
  readonly message_id: number
  readonly thing: string
  readonly state: DeliveryState
  readonly attempts: number
  /** When it is sent, or, while it is being sent, when that has failed because whoever did is gone. */
  readonly due_at: number
  /** Set while it is being sent. */
  readonly claimed_at: number | null
  readonly last_at: number | null
  readonly took_ms: number | null
  /** What was answered last. */
  readonly status: number | null
  readonly answer: string | null
  readonly problem: string | null
  readonly bytes: number
}

/**
 * `waiting`: to be sent when it is due. `behind`: another one about the same thing goes first. `missed`: the webhook was off, so
 * that it was not sent.
 */
export type DeliveryState = 'waiting' | 'behind' | 'delivered' | 'failed' | 'missed'

/** The states of what is still to be sent. */
export const open: readonly DeliveryState[] = ['waiting', 'behind']

/** Who sends, for those who have written something to send. */
export interface Wakes {
  /** Looks for what is due, now and again and again from now on. */
  wake(): void
}

export type OwnContext = Context<Fields, Wakes, Tables>

/** What can be done without the sender. */
export type Telling = Pick<OwnContext, 'db' | 'now' | 'links' | 'log' | 'unstable'>

export const makeTables: Migration = async ({ schema }) => {
  await schema
    .createTable(webhooks)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text')
    .addColumn('url', 'text', c => c.notNull())
    .addColumn('events', 'text', c => c.notNull())
    .addColumn('covers', 'text', c => c.notNull())
    .addColumn('is_on', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('off_at', 'bigint')
    .addColumn('off_because', 'text')
    .addColumn('secret', 'text', c => c.notNull())
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'bigint')
    .addColumn('failures', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('failing_since', 'bigint')
    .addColumn('paused_until', 'bigint')
    .addColumn('problem', 'text')
    .addColumn('turns', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex(`${webhooks}_account`)
    .on(webhooks)
    .columns(['account_id', 'created_at', 'id'])
    .execute()
  await schema
    .createTable(messages)
    .addColumn('id', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('event_id', 'text', c => c.notNull().unique())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('thing', 'text', c => c.notNull())
    .addColumn('account_id', 'bigint')
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .execute()
  await schema.createIndex(`${messages}_at`).on(messages).columns(['at']).execute()
  await schema.createIndex(`${messages}_account`).on(messages).columns(['account_id']).execute()
  await schema
    .createTable(deliveries)
    .addColumn('webhook_id', 'bigint', c =>
      c.notNull().references(`${webhooks}.id`).onDelete('cascade'),
    )
    .addColumn('message_id', 'bigint', c =>
      c.notNull().references(`${messages}.id`).onDelete('cascade'),
    )
    .addColumn('thing', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', c => c.notNull())
    .addColumn('claimed_at', 'bigint')
    .addColumn('last_at', 'bigint')
    .addColumn('took_ms', 'integer')
    .addColumn('status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('problem', 'text')
    .addColumn('bytes', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint(`${deliveries}_key`, ['webhook_id', 'message_id'])
    .execute()
  await schema.createIndex(`${deliveries}_message`).on(deliveries).columns(['message_id']).execute()
  await schema
    .createIndex(`${deliveries}_due`)
    .on(deliveries)
    .columns(['webhook_id', 'state', 'due_at'])
    .execute()
  await schema
    .createIndex(`${deliveries}_thing`)
    .on(deliveries)
    .columns(['webhook_id', 'thing', 'state', 'message_id'])
    .execute()
}

/** By this index the messages to many webhooks are gone through, newest first, without reading any that is not shown. */
export const indexInOrder: Migration = async ({ schema }) => {
  await schema
    .createIndex(`${deliveries}_order`)
    .on(deliveries)
    .columns(['message_id', 'webhook_id', 'state'])
    .execute()
  await schema.dropIndex(`${deliveries}_message`).execute()
}
