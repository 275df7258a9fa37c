import { createHash } from 'node:crypto'
import type { Context, CustomHost, Migration } from '../../../core/plugin.ts'
import { blocked } from './blocked.ts'
import type { ScanAddresses } from './scanner.ts'

type Needs = Pick<Context, 'db' | 'log' | 'news' | 'now' | 'unstable'>

/** A harmful address that hosts must not lead to. */
interface HostFinding {
  readonly address: string
  /** The end of "This URL is …". */
  readonly reason: string
}

const table = 'link_url_scanning_hosts'

export const makeHostFindings: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    // Addresses can be longer than keys may be.
    .addColumn('address_hash', 'text', c => c.primaryKey())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('found_at', 'bigint', c => c.notNull())
    .execute()
}

/** Stops hosts from leading to addresses that were found harmful. */
export async function blockHosts({
  db,
  unstable,
}: Pick<Context, 'db' | 'unstable'>): Promise<void> {
  const found = await findings(db)
  unstable.hosts.block(new Map(found.map(({ address, reason }) => [address, blocked(reason)])))
}

/**
 * Scans again all addresses that hosts lead to. `isSure` says whether all lists could be read. Only then is a block
 * lifted if its address is no longer on any list.
 */
export async function rescanHosts(
  context: Needs,
  scan: ScanAddresses,
  isSure: () => boolean,
): Promise<void> {
  const { db, log, news, now } = context
  const all = context.unstable.hosts.all()
  const leading = new Set(all.flatMap(addressesOf))
  const known = await findings(db)
  const { found, isAnswered } = await scan([...leading])
  const canLift = isAnswered && isSure()
  for (const { address } of known) {
    if (leading.has(address) && !(canLift && !found.has(address))) continue
    await db.deleteFrom(table).where('address_hash', '=', hashOf(address)).execute()
  }
  for (const [address, reason] of found) {
    if (known.some(it => it.address === address)) continue
    const values = { address_hash: hashOf(address), address, reason, found_at: now().getTime() }
    await db.insertInto(table).values(values).execute()
    const names = all.filter(host => addressesOf(host).includes(address)).map(({ name }) => name)
    log.warn(`${names.join(', ')} led to a URL that is ${reason}, and no longer leads there`, {
      address,
    })
  }
  await blockHosts(context)
  await news.tell()
}

async function findings(db: Context['db']): Promise<readonly HostFinding[]> {
  return (await db.selectFrom(table).select(['address', 'reason']).execute()) as HostFinding[]
}

function addressesOf({ rootUrl, notFoundUrl }: CustomHost): readonly string[] {
  return [rootUrl, notFoundUrl].flatMap(url => url ?? [])
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex')
}
