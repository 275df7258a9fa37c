import type { Migration } from '../../../core/plugin.ts'

/** Domains of accounts, and which links are on them. */
export const makeDomainTables: Migration = async ({ schema }) => {
  await schema
    .createTable('organization_custom_domains')
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', c => c.notNull())
    // The host again once it is verified: many accounts may claim a host, but only one can have it.
    .addColumn('verified_host', 'text', c => c.unique())
    .addColumn('proof', 'text', c => c.notNull())
    .addColumn('root_url', 'text')
    .addColumn('not_found_url', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex('organization_custom_domains_host')
    .unique()
    .on('organization_custom_domains')
    .columns(['account_id', 'host'])
    .execute()

  await schema
    .createTable('organization_custom_domains_links')
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .addColumn('domain_id', 'bigint', c =>
      c.notNull().references('organization_custom_domains.id').onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('organization_custom_domains_links_domain')
    .on('organization_custom_domains_links')
    .column('domain_id')
    .execute()
}

/** Domains of the instance, and which links of which accounts are on them. */
export const makeSharedTables: Migration = async ({ schema }) => {
  await schema
    .createTable('organization_custom_domains_shared')
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('host', 'text', c => c.notNull().unique())
    // JSON: the slugs of those whose accounts may put links on it; null: all.
    .addColumn('plans', 'text')
    .addColumn('root_url', 'text')
    .addColumn('not_found_url', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()

  await schema
    .createTable('organization_custom_domains_shared_links')
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('domain_id', 'bigint', c =>
      c.notNull().references('organization_custom_domains_shared.id'),
    )
    .execute()
  await schema
    .createIndex('organization_custom_domains_shared_links_domain')
    .on('organization_custom_domains_shared_links')
    .columns(['domain_id', 'account_id'])
    .execute()
  // Accounts are deleted with their rows here.
  await schema
    .createIndex('organization_custom_domains_shared_links_account')
    .on('organization_custom_domains_shared_links')
    .column('account_id')
    .execute()
}
