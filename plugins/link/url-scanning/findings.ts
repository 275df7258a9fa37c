import { createHash } from 'node:crypto'
import {
  type Context,
  type Migration,
  type Part,
  readSlice,
  type Slice,
} from '../../../core/plugin.ts'

type Db = Context['db']

/** A harmful address of a link. A link is blocked as long as it has a finding that is not released. */
export interface Finding {
  readonly link_id: number
  readonly address: string
  /** The end of "This URL is …". */
  readonly reason: string
  /** Milliseconds since 1970 UTC. */
  readonly found_at: number
  /** When an admin released the link in spite of it; null if never. */
  readonly released_at: number | null
}

const findingsTable = 'link_url_scanning_findings'

export const makeFindings: Migration = async ({ schema }) => {
  await schema
    .createTable(findingsTable)
    .addColumn('link_id', 'bigint', c => c.notNull().references('links.id').onDelete('cascade'))
    // Addresses can be longer than keys may be.
    .addColumn('address_hash', 'text', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('found_at', 'bigint', c => c.notNull())
    .addColumn('released_at', 'bigint')
    .addPrimaryKeyConstraint('link_url_scanning_findings_key', ['link_id', 'address_hash'])
    .execute()
  // Lets findings be listed in order without sorting all of them.
  await schema
    .createIndex(`${findingsTable}_order`)
    .on(findingsTable)
    .columns(['released_at', 'found_at', 'link_id', 'address_hash'])
    .execute()
}

/** Returns the findings of links by row id, including released ones. */
export async function findingsOf(
  db: Db,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Finding[]>> {
  const rows = await db
    .selectFrom(findingsTable)
    .selectAll()
    .where('link_id', 'in', [...rowIds])
    .execute()
  const byLink = new Map<number, Finding[]>()
  for (const row of rows as Finding[]) {
    const others = byLink.get(row.link_id)
    if (others) others.push(row)
    else byLink.set(row.link_id, [row])
  }
  return byLink
}

/** Returns the oldest finding that blocks a link; undefined if none does. */
export async function blockOf(db: Db, rowId: number): Promise<Finding | undefined> {
  const row = await blocks(db)
    .selectAll()
    .where('link_id', '=', rowId)
    .orderBy('found_at')
    .limit(1)
    .executeTakeFirst()
  return row as Finding | undefined
}

/** Selects the findings that block links now. */
export function blocks(db: Db) {
  return db.selectFrom(findingsTable).where('released_at', 'is', null)
}

/** Lists the findings that block links now, newest first. */
export async function listBlocks(
  db: Db,
  page: Slice,
): Promise<Part<Finding> & { readonly total: number }> {
  const { total } = await blocks(db)
    .select(({ fn }) => fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  const order = { by: ['found_at', 'link_id', 'address_hash'], descending: true }
  const { rows, next } = await readSlice(blocks(db).selectAll(), order, page)
  return { rows: rows as Finding[], next, total: Number(total) }
}

export async function addFindings(db: Db, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return
  const rows = findings.map(finding => ({ ...finding, address_hash: hashOf(finding.address) }))
  await db
    .insertInto(findingsTable)
    .values(rows)
    .onConflict(conflict => conflict.columns(['link_id', 'address_hash']).doNothing())
    .execute()
}

export async function removeFindings(db: Db, findings: readonly Finding[]): Promise<void> {
  for (const { link_id, address } of findings) {
    await db
      .deleteFrom(findingsTable)
      .where('link_id', '=', link_id)
      .where('address_hash', '=', hashOf(address))
      .execute()
  }
}

/** Releases a link from all findings that block it now. */
export async function releaseFindings(db: Db, rowId: number, at: Date): Promise<void> {
  await db
    .updateTable(findingsTable)
    .set({ released_at: at.getTime() })
    .where('link_id', '=', rowId)
    .where('released_at', 'is', null)
    .execute()
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex')
}
