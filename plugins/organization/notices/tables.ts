import type { Context, Migration } from '../../../core/plugin.ts'
import type { KindName } from './kinds.ts'
import type { settings } from './settings.ts'

export const news = 'organization_notices_news'
export const mails = 'organization_notices_mails'
export const choices = 'organization_notices_choices'

export interface Tables {
  readonly [news]: News
  readonly [mails]: MailRow
  readonly [choices]: ChoicesRow
}

export type OwnContext = Context<typeof settings, unknown, Tables>

/** Something that an account is told, until it is in a mail. Times are in milliseconds since 1970 UTC. */
export interface News {
  readonly id: number
  readonly account_id: number
  readonly kind: KindName
  /** What is told once, such as the id of an event. */
  readonly about: string
  /** JSON. */
  readonly says: string
  readonly at: number
  /** The mail that it is in. */
  readonly mail_id: number | null
}

export interface MailRow {
  readonly id: number
  readonly account_id: number
  readonly kind: KindName
  /** `sending`: a server is at it, or was when it ended. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'uncertain' | 'failed'
  readonly attempts: number
  readonly due_at: number
  readonly created_at: number
  /** When it was sent last, or given up. */
  readonly ended_at: number | null
  readonly problem: string | null
}

/** What an account has chosen; there is none until it does. */
export interface ChoicesRow {
  readonly account_id: number
  /** JSON: the kinds that it switched, by name. */
  readonly kinds: string
  readonly language: string | null
  readonly time_zone: string | null
  /** The address that the mail server does not take, and what it said. */
  readonly refused_address: string | null
  readonly refused_because: string | null
}

export const makeTables: Migration = async ({ schema }) => {
  await schema
    .createTable(choices)
    .addColumn('account_id', 'bigint', c =>
      c.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('kinds', 'text', c => c.notNull())
    .addColumn('language', 'text')
    .addColumn('time_zone', 'text')
    .addColumn('refused_address', 'text')
    .addColumn('refused_because', 'text')
    .execute()
  await schema
    .createTable(mails)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('due_at', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('problem', 'text')
    .execute()
  await schema.createIndex(`${mails}_due`).on(mails).columns(['state', 'due_at']).execute()
  await schema
    .createIndex(`${mails}_account`)
    .on(mails)
    .columns(['account_id', 'kind', 'created_at'])
    .execute()
  await schema
    .createTable(news)
    .addColumn('id', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('about', 'text', c => c.notNull())
    .addColumn('says', 'text', c => c.notNull())
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('mail_id', 'bigint', c => c.references(`${mails}.id`).onDelete('cascade'))
    .execute()
  await schema
    .createIndex(`${news}_once`)
    .unique()
    .on(news)
    .columns(['account_id', 'kind', 'about'])
    .execute()
  await schema.createIndex(`${news}_mail`).on(news).columns(['mail_id', 'account_id']).execute()
}
