import { type Context, type HandedOver, type Refusal, refuse } from '../../../core/plugin.ts'
import { type Domain, domainsTable, linksTable, withLinksCount } from './domains.ts'
import { sharedLinksTable } from './shared.ts'

type Db = Context['db']

/** Gives all domains of an account to another; some links alone do not take the domain along that they are on. */
export async function handOverDomains(
  { from, to, links }: HandedOver,
  { db, settings }: Pick<Context, 'db' | 'settings'>,
): Promise<Refusal | undefined> {
  if (links) {
    const bound = await hostOfOne(db, links)
    if (bound !== undefined) return notWithout(bound)
    const shared = db.updateTable(sharedLinksTable).set({ account_id: to })
    await shared.where('link_id', 'in', links).execute()
    return undefined
  }
  for (const domain of await domainsOf(db, from)) await giveDomain(db, domain, to)
  await db
    .updateTable(sharedLinksTable)
    .set({ account_id: to })
    .where('account_id', '=', from)
    .execute()
  const [max, count] = [Number(settings.maxPerAccount), (await domainsOf(db, to)).length]
  return count > max ? tooMany(max, count) : undefined
}

/** Both may claim the same host: the claim that is proven stays, with the links of both. */
async function giveDomain(db: Db, domain: Domain, to: number): Promise<void> {
  const other = (await domainsOf(db, to)).find(it => it.host === domain.host)
  const kept = other && domain.verified_host === null ? other : domain
  const dropped = kept === domain ? other : domain
  if (dropped) {
    await db
      .updateTable(linksTable)
      .set({ domain_id: kept.id })
      .where('domain_id', '=', dropped.id)
      .execute()
    await db.deleteFrom(domainsTable).where('id', '=', dropped.id).execute()
  }
  await db.updateTable(domainsTable).set({ account_id: to }).where('id', '=', kept.id).execute()
}

async function domainsOf(db: Db, accountId: number): Promise<readonly Domain[]> {
  return (await withLinksCount(db)
    .where('account_id', '=', accountId)
    .execute()) as unknown as Domain[]
}

/** The host of one of these links that is on a domain of its account. */
async function hostOfOne(db: Db, links: readonly number[]): Promise<string | undefined> {
  const found = await db
    .selectFrom(linksTable)
    .innerJoin(domainsTable, `${domainsTable}.id`, `${linksTable}.domain_id`)
    .select('host')
    .where('link_id', 'in', links)
    .executeTakeFirst()
  return found && String(found.host)
}

function notWithout(host: string): Refusal {
  const detail = `A link is on ${host}, a domain of its account. Hand over all links with their domains, or move it to another host first.`
  return refuse('domain_in_use', detail, 409, 'links')
}

function tooMany(limit: number, used: number): Refusal {
  const detail = `An account may have ${limit} domains. The other account would have ${used}.`
  return refuse('limit_reached', detail, 403, undefined, { limit, used })
}
