import type { Migration } from '../../../core/plugin.ts'

/** Tags, and which links have them. */
export const makeTagTables: Migration = async ({ schema }) => {
  await schema
    .createTable('organization_tags')
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('folded_name', 'text', c => c.notNull())
    .addColumn('color', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex('organization_tags_name')
    .unique()
    .on('organization_tags')
    .columns(['account_id', 'folded_name'])
    .execute()

  await schema
    .createTable('organization_tags_links')
    .addColumn('tag_id', 'bigint', c =>
      c.notNull().references('organization_tags.id').onDelete('cascade'),
    )
    .addColumn('link_id', 'bigint', c => c.notNull().references('links.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('organization_tags_links_key', ['tag_id', 'link_id'])
    .execute()
  await schema
    .createIndex('organization_tags_links_link')
    .on('organization_tags_links')
    .column('link_id')
    .execute()
}
