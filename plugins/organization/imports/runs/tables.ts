import type { Migration } from '../../../../core/plugin.ts'
import { outcomes, reportedColumn, runsTable } from './run.ts'

/** Imports, what became of each thing that came, and their reports. Moments in milliseconds since 1970 UTC. */
export const makeImportTables: Migration = async ({ schema }) => {
  await schema
    .createTable('organization_imports')
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    // The account again while the import has not ended: each has one at a time.
    .addColumn('active_of', 'bigint', c => c.unique())
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('settings', 'text', c => c.notNull())
    // What is secret of the settings, encrypted, until the import ends.
    .addColumn('secrets', 'text')
    .addColumn('options', 'text', c => c.notNull())
    .addColumn('is_dry', 'integer', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('sentence', 'text')
    .addColumn('file_name', 'text')
    .addColumn('file_bytes', 'bigint')
    // Of a command: where the file is. What was sent is in the folder of the plugin.
    .addColumn('path', 'text')
    .addColumn('bytes_read', 'bigint', c => c.notNull())
    .addColumn('items_read', 'bigint', c => c.notNull())
    .addColumn('made', 'bigint', c => c.notNull())
    .addColumn('changed', 'bigint', c => c.notNull())
    .addColumn('kept', 'bigint', c => c.notNull())
    .addColumn('refused', 'bigint', c => c.notNull())
    .addColumn('visits', 'bigint', c => c.notNull())
    // Who works at it, and when that was last heard of.
    .addColumn('runner', 'text')
    .addColumn('beat_at', 'bigint')
    .addColumn('is_stopping', 'integer', c => c.notNull())
    // How often it was read from the start.
    .addColumn('pass', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute()
  await schema
    .createIndex('organization_imports_account')
    .on('organization_imports')
    .columns(['account_id', 'created_at', 'id'])
    .execute()

  await schema
    .createTable('organization_imports_items')
    .addColumn('import_id', 'bigint', c =>
      c.notNull().references('organization_imports.id').onDelete('cascade'),
    )
    // What the source calls the link.
    .addColumn('source_id', 'text', c => c.notNull())
    // Of all that says which link it is: one that came by an earlier import is found by it.
    .addColumn('digest', 'text', c => c.notNull())
    .addColumn('account_id', 'bigint', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('link', 'text')
    .addColumn('visits', 'bigint', c => c.notNull())
    // The sum of its counts, as they were read in this pass.
    .addColumn('dated', 'bigint', c => c.notNull())
    .addColumn('pass', 'bigint', c => c.notNull())
    .addColumn('last_visit_at', 'bigint')
    .addPrimaryKeyConstraint('organization_imports_items_pk', ['import_id', 'source_id'])
    .execute()
  await schema
    .createIndex('organization_imports_items_digest')
    .on('organization_imports_items')
    .columns(['account_id', 'digest'])
    .execute()

  await schema
    .createTable('organization_imports_rows')
    .addColumn('import_id', 'bigint', c =>
      c.notNull().references('organization_imports.id').onDelete('cascade'),
    )
    .addColumn('number', 'bigint', c => c.notNull())
    .addColumn('outcome', 'text', c => c.notNull())
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('link', 'text')
    .addColumn('sentence', 'text', c => c.notNull())
    // Of all that it says: what is read again is reported once.
    .addColumn('digest', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('organization_imports_rows_pk', ['import_id', 'number'])
    .execute()
  await schema
    .createIndex('organization_imports_rows_digest')
    .unique()
    .on('organization_imports_rows')
    .columns(['import_id', 'digest'])
    .execute()
}

/** Imports that end the server are not begun for ever. */
export const countDeaths: Migration = async ({ schema }) => {
  await schema
    .alterTable('organization_imports')
    .addColumn('deaths', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
}

/** A link whose total grew in the source gets what came since by a later import. */
export const noteBroughtVisits: Migration = async ({ schema }) => {
  const items = () => schema.alterTable('organization_imports_items')
  // How many visits earlier imports brought it, how many this one, and how many all of them in the end.
  await items().addColumn('before', 'bigint').execute()
  await items()
    .addColumn('added', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
  await items().addColumn('brought', 'bigint').execute()
}

/** Lists of a report find the rows of an outcome by an index, and nobody counts them. */
export const countReportRows: Migration = async db => {
  for (const outcome of outcomes) {
    await db.schema
      .alterTable(runsTable)
      .addColumn(reportedColumn(outcome), 'bigint', c => c.notNull().defaultTo(0))
      .execute()
  }
  await db.schema
    .createIndex('organization_imports_rows_outcome')
    .on('organization_imports_rows')
    .columns(['import_id', 'outcome', 'number'])
    .execute()
  for (const outcome of outcomes) {
    await db
      .updateTable(runsTable)
      .set(({ selectFrom }) => ({
        [reportedColumn(outcome)]: selectFrom('organization_imports_rows')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('import_id', '=', `${runsTable}.id`)
          .where('outcome', '=', outcome),
      }))
      .execute()
  }
}
