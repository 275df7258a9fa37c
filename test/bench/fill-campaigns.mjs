import BetterSqlite3 from 'better-sqlite3'

/** Puts all links of each big account into a campaign. */
export function fillCampaigns(file, accounts, now) {
  const db = new BetterSqlite3(file)
  const addCampaign = db.prepare(
    `insert into organization_campaigns
       (id, account_id, name, folded_name, color, created_at, updated_at)
     values (?, ?, 'All', 'all', '#336699', ?, ?)`,
  )
  const addLinks = db.prepare(
    `insert into organization_campaigns_links (link_id, campaign_id)
     select id, ? from links where account_id = ?`,
  )
  for (const { id, isBig } of accounts) {
    if (!isBig) continue
    addCampaign.run(id, id, now, now)
    addLinks.run(id, id)
  }
  db.close()
}
