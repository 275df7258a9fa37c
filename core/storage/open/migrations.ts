import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { fillLinkTexts } from './fill-link-texts.ts'
import { packCounts } from './pack-counts.ts'

/** One step of the core's schema; its position in the list is the version that it leads to. */
export type CoreMigration = ShortStep | LongStep

type ShortStep = (db: Kysely<unknown>, dialect: DialectTraits) => Promise<void>

/**
 * Does part of the work and returns a progress message; it is run again in another transaction until it returns
 * nothing.
 */
type LongStep = (db: Kysely<unknown>, dialect: DialectTraits) => Promise<string | undefined>

/** Where the SQL of a migration differs between databases; column types have the names that SQLite uses. */
export interface DialectTraits {
  /** Clause that keeps a table in the order of its key. */
  readonly clustered: string
}

/** Forward only; a released entry never changes. */
export const migrations: readonly CoreMigration[] = [
  firstSchema,
  orderLinks,
  makePackedCounts,
  packCounts,
  makePluginStore,
  makeLinkTexts,
  fillLinkTexts,
  makeOneTimeLinks,
  dropLinksCode,
]

/** Versions between two steps of one change: the copy made before the first step covers both. */
export const versionsBetween: readonly number[] = [3, 6]

async function firstSchema(db: Kysely<unknown>, traits: DialectTraits): Promise<void> {
  const { schema } = db
  const clustered = sql.raw(traits.clustered)
  const cascade = 'cascade' as const
  // Without AUTOINCREMENT, SQLite would give the number of a deleted row to the next one.
  const key = (c: ColumnDefinitionBuilder) => c.primaryKey().autoIncrement()

  await schema
    .createTable('meta')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()

  await schema
    .createTable('accounts')
    .addColumn('id', 'integer', key)
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('full_name', 'text')
    .addColumn('avatar_url', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('is_admin', 'integer', c => c.notNull())
    .addColumn('plan', 'text', c => c.notNull())
    .addColumn('email_verified_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()

  await schema
    .createTable('sessions')
    .addColumn('id_hash', 'text', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('seen_at', 'bigint', c => c.notNull())
    .execute()
  await schema.createIndex('sessions_account').on('sessions').column('account_id').execute()

  await schema
    .createTable('api_tokens')
    .addColumn('id', 'integer', key)
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('prefix', 'text', c => c.notNull())
    .addColumn('scopes', 'text', c => c.notNull())
    .addColumn('is_bootstrap', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute()
  await schema.createIndex('api_tokens_account').on('api_tokens').column('account_id').execute()

  await schema
    .createTable('usage')
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('period', 'text', c => c.notNull())
    .addColumn('links_created', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('visits_tracked', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('closed_at', 'bigint')
    .addPrimaryKeyConstraint('usage_key', ['account_id', 'period'])
    .execute()

  await schema
    .createTable('links')
    .addColumn('id', 'integer', key)
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('domain', 'text', c => c.notNull())
    .addColumn('short_code', 'text', c => c.notNull())
    .addColumn('original_url', 'text', c => c.notNull())
    .addColumn('title', 'text')
    .addColumn('notes', 'text')
    .addColumn('archived', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('fields', 'text', c => c.notNull())
    .addColumn('guarded_by', 'text', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex('links_code')
    .unique()
    .on('links')
    .columns(['domain', 'short_code'])
    .execute()
  await schema
    .createIndex('links_account')
    .on('links')
    .columns(['account_id', 'created_at'])
    .execute()

  await schema
    .createTable('short_codes')
    .addColumn('domain', 'text', c => c.notNull())
    .addColumn('code', 'text', c => c.notNull())
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('set null'))
    .addColumn('account_id', 'bigint', c => c.references('accounts.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('short_codes_key', ['domain', 'code'])
    .modifyEnd(clustered)
    .execute()
  await schema.createIndex('short_codes_link').on('short_codes').column('link_id').execute()
  await schema.createIndex('short_codes_account').on('short_codes').column('account_id').execute()

  await schema
    .createTable('link_totals')
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete(cascade))
    .addColumn('visits', 'bigint', c => c.notNull())
    .addColumn('last_visit_at', 'bigint', c => c.notNull())
    .execute()

  await schema
    .createTable('visit_batches')
    .addColumn('id', 'integer', key)
    .addColumn('packed', 'blob', c => c.notNull())
    .execute()

  await schema
    .createTable('visit_names')
    .addColumn('id', 'integer', key)
    .addColumn('name', 'text', c => c.notNull().unique())
    .addColumn('used_in', 'integer', c => c.notNull().defaultTo(0))
    .execute()

  // Counts and sketches have no foreign keys: they may be too many to delete in one statement with their owner.
  await schema
    .createTable('visit_counts')
    .addColumn('link_id', 'bigint', c => c.notNull())
    .addColumn('dimension', 'bigint', c => c.notNull())
    .addColumn('value', 'bigint', c => c.notNull())
    .addColumn('bucket', 'integer', c => c.notNull())
    .addColumn('count', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('visit_counts_key', ['link_id', 'dimension', 'bucket', 'value'])
    .modifyEnd(clustered)
    .execute()

  for (const table of ['account_counts', 'account_blocks']) {
    await schema
      .createTable(table)
      .addColumn('account_id', 'bigint', c => c.notNull())
      .addColumn('dimension', 'bigint', c => c.notNull())
      .addColumn('value', 'bigint', c => c.notNull())
      .addColumn('bucket', 'integer', c => c.notNull())
      .addColumn('count', 'bigint', c => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'dimension', 'bucket', 'value'])
      .modifyEnd(clustered)
      .execute()
  }

  for (const owner of ['link', 'account'] as const) {
    const table = `${owner}_sketches`
    await schema
      .createTable(table)
      .addColumn(`${owner}_id`, 'bigint', c => c.notNull())
      .addColumn('dimension', 'bigint', c => c.notNull())
      .addColumn('day', 'integer', c => c.notNull())
      .addColumn('visits', 'bigint', c => c.notNull())
      .addColumn('sketch', 'blob', c => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, [`${owner}_id`, 'dimension', 'day'])
      .modifyEnd(clustered)
      .execute()
    await schema.createIndex(`${table}_day`).on(table).columns(['dimension', 'day']).execute()
  }

  await schema
    .createTable('counts_to_remove')
    .addColumn('owner', 'text', c => c.notNull())
    .addColumn('id', 'bigint', c => c.notNull())
    .addColumn('account_id', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('counts_to_remove_key', ['owner', 'id'])
    .modifyEnd(clustered)
    .execute()

  await schema
    .createTable('account_values')
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('count', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('account_values_key', ['account_id', 'day'])
    .execute()

  await schema
    .createTable('job_runs')
    .addColumn('job', 'text', c => c.primaryKey())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('error', 'text')
    .execute()

  await schema
    .createTable('plugin_migrations')
    .addColumn('feature', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('checksum', 'text', c => c.notNull())
    .addColumn('applied_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('plugin_migrations_key', ['feature', 'name'])
    .execute()

  await schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'bigint', c => c.notNull().references('accounts.id').onDelete(cascade))
    .addColumn('key', 'text', c => c.notNull())
    .addColumn('request', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .addColumn('answer', 'blob')
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'key'])
    .execute()

  await schema
    .createTable('idempotency_made')
    .addColumn('account_id', 'bigint', c => c.notNull())
    .addColumn('key', 'text', c => c.notNull())
    .addColumn('part', 'integer', c => c.notNull())
    .addColumn('made', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('idempotency_made_key', ['account_id', 'key', 'part'])
    .addForeignKeyConstraint(
      'idempotency_made_of',
      ['account_id', 'key'],
      'idempotency_keys',
      ['account_id', 'key'],
      c => c.onDelete(cascade),
    )
    .execute()
}

/** Indexes that let the lists of links by title and by code begin anywhere without sorting all links of the account. */
async function orderLinks(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createIndex('links_account_code')
    .on('links')
    .columns(['account_id', 'short_code'])
    .execute()
  // Must be written exactly as in the query of the list, or SQLite does not recognise it.
  await schema
    .createIndex('links_account_title')
    .on('links')
    .columns(['account_id'])
    .expression(sql`coalesce(title, '')`)
    .execute()
}

/** All counts of an owner in one hour become one row: `packCounts` moves them there. */
async function makePackedCounts(db: Kysely<unknown>, traits: DialectTraits): Promise<void> {
  const { schema } = db
  await schema.dropTable('account_blocks').execute()
  await schema.alterTable('visit_counts').renameTo('link_count_rows').execute()
  await schema.alterTable('account_counts').renameTo('account_count_rows').execute()
  for (const table of ['link_counts', 'account_counts']) {
    await schema
      .createTable(table)
      .addColumn('owner_id', 'bigint', c => c.notNull())
      .addColumn('bucket', 'integer', c => c.notNull())
      .addColumn('packed', 'blob', c => c.notNull())
      .addPrimaryKeyConstraint(`${table}_by_hour`, ['owner_id', 'bucket'])
      .modifyEnd(sql.raw(traits.clustered))
      .execute()
  }
}

async function makePluginStore(
  { schema }: Kysely<unknown>,
  { clustered }: DialectTraits,
): Promise<void> {
  await schema
    .createTable('plugin_store')
    .addColumn('feature', 'text', c => c.notNull())
    .addColumn('key', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('plugin_store_key', ['feature', 'key'])
    .modifyEnd(sql.raw(clustered))
    .execute()
}

/** The text that links are searched by; and an index with the columns that lists of links are mostly filtered by. */
async function makeLinkTexts(
  { schema }: Kysely<unknown>,
  { clustered }: DialectTraits,
): Promise<void> {
  await schema
    .createTable('link_texts')
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('link_id', 'bigint', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('link_texts_key', ['account_id', 'link_id'])
    .modifyEnd(sql.raw(clustered))
    .execute()
  await schema.dropIndex('links_account').execute()
  await schema
    .createIndex('links_account')
    .on('links')
    .columns(['account_id', 'created_at', 'id', 'archived', 'domain'])
    .execute()
}

async function makeOneTimeLinks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('one_time_links')
    .addColumn('account_id', 'bigint', c =>
      c.primaryKey().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('secret_hash', 'text', c => c.notNull().unique())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
}

/** The key of `short_codes` lets no two links have the same code: an index of `links` would cost each new link a page. */
async function dropLinksCode({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropIndex('links_code').execute()
}
