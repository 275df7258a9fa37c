import type { Migration } from '../../../core/plugin.ts'
import { table } from './entries.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '001-entries': async ({ schema }) => {
    await schema
      .createTable(table)
      .addColumn('id', 'bigint', it => it.primaryKey())
      .addColumn('event_id', 'text', it => it.notNull().unique())
      .addColumn('at', 'bigint', it => it.notNull())
      .addColumn('type', 'text', it => it.notNull())
      .addColumn('account_id', 'bigint')
      .addColumn('thing', 'text')
      .addColumn('actor_kind', 'text', it => it.notNull())
      .addColumn('actor_account', 'bigint')
      .addColumn('actor_by', 'text')
      .addColumn('actor_name', 'text')
      .addColumn('details', 'text', it => it.notNull())
      .addColumn('prev', 'text', it => it.notNull().unique())
      .addColumn('hash', 'text', it => it.notNull())
      .execute()
    await schema.createIndex(`${table}_thing`).on(table).columns(['thing', 'id']).execute()
    await schema.createIndex(`${table}_type`).on(table).columns(['type', 'id']).execute()
    await schema.createIndex(`${table}_actor`).on(table).columns(['actor_account', 'id']).execute()
  },
  '002-addresses': async ({ schema }) => {
    await schema.alterTable(table).addColumn('actor_address', 'text').execute()
  },
}
