import type { CollectionRows, Context, SavedLink } from '../../../core/plugin.ts'
import type { Claimed } from './proof.ts'
import { findShared, sharedAs, sharedLinksTable, sharedTable } from './shared.ts'

type Db = Context['db']

/** A row of a domain. Moments in ms since 1970 UTC. */
export interface Domain extends Claimed {
  readonly id: number
  readonly account_id: number
  /** The host once it is verified; null until then. */
  readonly verified_host: string | null
  readonly root_url: string | null
  readonly not_found_url: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly links_count: number
}

export const domainsTable = 'organization_custom_domains'
export const linksTable = 'organization_custom_domains_links'

/** Finds the verified domain of a host, if there is one. */
export async function findHolder(db: Db, host: string): Promise<Domain | undefined> {
  const found = withLinksCount(db).where('verified_host', '=', host)
  return (await found.executeTakeFirst()) as Domain | undefined
}

/** There may be thousands, which are read after each change: always in the same order, so that nothing more is done if none is new. */
export async function verifiedDomains(db: Db) {
  const rows = await db
    .selectFrom(domainsTable)
    .select(['host', 'account_id', 'root_url', 'not_found_url'])
    .where('verified_host', 'is not', null)
    .orderBy('verified_host')
    .execute()
  return rows as Pick<Domain, 'host' | 'account_id' | 'root_url' | 'not_found_url'>[]
}

/** Deletes a domain; false if there are links on it. */
export async function removeDomain(db: Db, { id }: Domain): Promise<boolean> {
  const links = db.selectFrom(linksTable).select('link_id').where('domain_id', '=', id)
  const { numDeletedRows } = await db
    .deleteFrom(domainsTable)
    .where('id', '=', id)
    // Checked in the same statement, so that no link can be added in between.
    .where(({ exists, not }) => not(exists(links)))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Gives a verified host to a domain, taking it from `holder` if there is one; false if another domain was faster, or the instance has it. */
export async function passHost(
  { db, now }: Context,
  domain: Domain,
  holder: Domain | undefined,
  tell: (tx: Db, before: Domain) => Promise<void>,
): Promise<boolean> {
  const { id, host } = domain
  const updated_at = now().getTime()
  return db.transaction().execute(async tx => {
    const taker = tx.selectFrom(domainsTable).select('id').where('id', '=', id)
    if (holder) {
      await tx
        .updateTable(domainsTable)
        .set({ verified_host: null, updated_at })
        .where('id', '=', holder.id)
        .where(({ exists }) => exists(taker))
        .execute()
    }
    const others = tx.selectFrom(domainsTable).select('id').where('verified_host', '=', host)
    const { numUpdatedRows } = await tx
      .updateTable(domainsTable)
      .set({ verified_host: host, updated_at })
      .where('id', '=', id)
      .where(({ exists, not }) => not(exists(others)))
      // An admin may have shared it while the proof was looked for.
      .where(({ exists, not }) => not(exists(sharedAs(tx, host))))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    if (holder) await tell(tx, holder)
    await tell(tx, domain)
    return true
  })
}

/** Whether any account has the host, or links on it. */
export async function isHeld(db: Db, host: string): Promise<boolean> {
  const rows = (await withLinksCount(db).where('host', '=', host).execute()) as readonly Domain[]
  return rows.some(it => it.verified_host !== null || Number(it.links_count) > 0)
}

/**
 * Records which domain a link is on, if any; false if the link's account has not verified the domain, or has lost it.
 * A link may always stay on the domain it is on.
 */
export async function placeOnDomain(
  db: Db,
  { rowId, accountId, domain }: SavedLink,
): Promise<boolean> {
  const before = await hostOf(db, rowId)
  if (before === domain) return true
  if (before !== '') {
    await db.deleteFrom(linksTable).where('link_id', '=', rowId).execute()
    await db.deleteFrom(sharedLinksTable).where('link_id', '=', rowId).execute()
  }
  if (domain === '') return true
  const shared = await findShared(db, domain)
  if (shared) {
    const row = { link_id: rowId, account_id: accountId, domain_id: shared.id }
    await db.insertInto(sharedLinksTable).values(row).execute()
    return true
  }
  const holder = await findHolder(db, domain)
  if (holder?.account_id !== accountId) return false
  await db.insertInto(linksTable).values({ link_id: rowId, domain_id: holder.id }).execute()
  return true
}

/** The host that a link was placed on; empty for that of the base URL. */
async function hostOf(db: Db, linkId: number): Promise<string> {
  const places: readonly (readonly [links: string, domains: string])[] = [
    [linksTable, domainsTable],
    [sharedLinksTable, sharedTable],
  ]
  for (const [links, domains] of places) {
    const found = await db
      .selectFrom(links)
      .innerJoin(domains, `${domains}.id`, `${links}.domain_id`)
      .select('host')
      .where('link_id', '=', linkId)
      .executeTakeFirst()
    if (found) return String(found.host)
  }
  return ''
}

/** All domains, each with the number of links on it. */
export function withLinksCount(db: Db): CollectionRows {
  return db
    .selectFrom(domainsTable)
    .selectAll(domainsTable)
    .select(({ selectFrom }) =>
      selectFrom(linksTable)
        .whereRef(`${linksTable}.domain_id`, '=', `${domainsTable}.id`)
        .select(({ fn }) => fn.countAll().as('links'))
        .as('links_count'),
    )
}
