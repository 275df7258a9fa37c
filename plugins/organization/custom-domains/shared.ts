import { type Context, newRowId } from '../../../core/plugin.ts'

type Db = Context['db']

/** A row of a domain that belongs to the instance. Moments in ms since 1970 UTC. */
export interface SharedDomain {
  readonly id: number
  readonly host: string
  /** JSON: the slugs of the plans whose accounts may put links on it; null: all. */
  readonly plans: string | null
  readonly root_url: string | null
  readonly not_found_url: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** What an admin says of one. */
export type Sharing = Pick<SharedDomain, 'host' | 'plans' | 'root_url' | 'not_found_url'>

export const sharedTable = 'organization_custom_domains_shared'
export const sharedLinksTable = 'organization_custom_domains_shared_links'

/** By host. */
export async function sharedDomains(db: Db): Promise<readonly SharedDomain[]> {
  return (await db
    .selectFrom(sharedTable)
    .selectAll()
    .orderBy('host')
    .execute()) as unknown as SharedDomain[]
}

export async function findShared(db: Db, host: string): Promise<SharedDomain | undefined> {
  const found = db.selectFrom(sharedTable).selectAll().where('host', '=', host)
  return (await found.executeTakeFirst()) as SharedDomain | undefined
}

/** The row of a host, for statements about others. */
export function sharedAs(db: Db, host: string) {
  return db.selectFrom(sharedTable).select('id').where('host', '=', host)
}

/** Shares a host, or changes how it is shared. */
export async function share(db: Db, sharing: Sharing, at: number): Promise<void> {
  const { host, ...change } = sharing
  await db
    .insertInto(sharedTable)
    .values({ ...sharing, id: newRowId(), created_at: at, updated_at: at })
    .onConflict(on => on.column('host').doUpdateSet({ ...change, updated_at: at }))
    .execute()
}

/** Shares it no more; false if there are links on it. */
export async function unshare(db: Db, { id }: SharedDomain): Promise<boolean> {
  const links = db.selectFrom(sharedLinksTable).select('link_id').where('domain_id', '=', id)
  const { numDeletedRows } = await db
    .deleteFrom(sharedTable)
    .where('id', '=', id)
    // Checked in the same statement, so that no link can be added in between.
    .where(({ exists, not }) => not(exists(links)))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export interface Use {
  readonly links: number
  readonly accounts: number
}

const unused: Use = { links: 0, accounts: 0 }

/** How many links of how many accounts are on each domain, by its id; `accountId` counts only its own. */
export async function usesOf(db: Db, accountId?: number): Promise<(domain: SharedDomain) => Use> {
  const all = db.selectFrom(sharedLinksTable)
  const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId))
    .select(({ fn }) => [
      'domain_id',
      fn.countAll().as('links'),
      fn.count('account_id').distinct().as('accounts'),
    ])
    .groupBy('domain_id')
    .execute()
  const uses = new Map(
    rows.map(({ domain_id, links, accounts }) => [
      Number(domain_id),
      { links: Number(links), accounts: Number(accounts) },
    ]),
  )
  return ({ id }) => uses.get(Number(id)) ?? unused
}

/** Whether accounts of a plan may put links on a domain. */
export function isOpenTo(
  { plans }: Pick<SharedDomain, 'plans'>,
  plan: string | undefined,
): boolean {
  return plan !== undefined && (plans === null || (JSON.parse(plans) as string[]).includes(plan))
}
