import type { Migration } from '../../../core/plugin.ts'

/** Campaigns, and which links are in them: a link is in one at most. */
export const makeCampaignTables: Migration = async ({ schema }) => {
  await schema
    .createTable('organization_campaigns')
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('folded_name', 'text', c => c.notNull())
    .addColumn('description', 'text')
    .addColumn('color', 'text', c => c.notNull())
    .addColumn('starts_at', 'bigint')
    .addColumn('ends_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await schema
    .createIndex('organization_campaigns_name')
    .unique()
    .on('organization_campaigns')
    .columns(['account_id', 'folded_name'])
    .execute()

  await schema
    .createTable('organization_campaigns_links')
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .addColumn('campaign_id', 'bigint', c =>
      c.notNull().references('organization_campaigns.id').onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('organization_campaigns_links_campaign')
    .on('organization_campaigns_links')
    .columns(['campaign_id', 'link_id'])
    .execute()
}
