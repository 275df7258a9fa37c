import type { Objection } from '../../accounts/access/change-account.ts'
import { findAccount } from '../../accounts/accounts.ts'
import { tellOfHandOver } from '../../accounts/tell-of-accounts.ts'
import { inChunks } from '../../lib/chunks.ts'
import { readPublicId } from '../../lib/public-id.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { HandedOver } from '../../plugin/write-links.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { readForeignKeys } from '../../storage/foreign-keys.ts'
import { isHeard } from '../../storage/outbox.ts'
import { handOverCounts } from '../../visits/upkeep/hand-over-counts.ts'
import type { LinkHooks } from '../hooks.ts'
import { type Link, readLink } from '../link.ts'
import { findAnyByCode, linksOfRows } from '../read/find-link.ts'
import type { ShortUrls } from '../read/short-urls.ts'
import { type TellDeps, tellOfLinks } from '../tell-of-links.ts'
import { packRows, unpackRows } from './rows-of-links.ts'

export interface HandOverDeps extends TellDeps {
  readonly hooks: Pick<LinkHooks, 'show' | 'handOver'>
}

/**
 * Gives links of an account to another, with their codes, counts and what plugins keep of them; without `links` all that it
 * has of these, deleted links that can be restored included. Returns how many links. Refused: if there is no other account,
 * or what a plugin or the plan of the other account says; undo the transaction then.
 */
export async function handOver(
  tx: Tx,
  deps: HandOverDeps,
  what: HandedOver,
): Promise<number | Refusal> {
  const [owner, heir] = [await findAccount(tx, what.from), await findAccount(tx, what.to)]
  if (!heir || what.to === what.from) return noHeir
  const before = isHeard(tx, 'link') ? await linksOf(tx, what) : []
  const given = await giveLinks(tx, what, deps.now().getTime())
  if (!what.links) await giveDeletedLinks(tx, what)
  await handOverCounts(tx, what)
  const refused = await deps.hooks.handOver(tx, what, heir.plan)
  if (refused) return refused
  const after = await linksOfRows(
    tx,
    before.map(({ rowId }) => rowId),
  )
  await tellOfLinks(
    tx,
    deps,
    before.flatMap(link => {
      const now = after.get(link.rowId)
      return now ? { before: link, after: now, changed: ['account'] } : []
    }),
  )
  if (owner) await tellOfHandOver(tx, deps.now(), owner, heir, given)
  return given
}

/** Does it in a transaction of its own; undefined if there is no such account. Also refused: what `object` says. */
export function handOverWith(
  { db, ...deps }: HandOverDeps & { readonly db: Database },
  what: HandedOver,
  object: Objection,
): Promise<number | Refusal | undefined> {
  return inTransactionUnlessRefused<number | undefined>(db, async tx => {
    const owner = await findAccount(tx, what.from)
    if (!owner) return undefined
    return (await object(owner, tx)) ?? handOver(tx, deps, what)
  })
}

const noHeir = refuse('validation_failed', 'Must be another account.', 422, 'to')

async function linksOf(tx: Tx, { from, links }: HandedOver): Promise<readonly Link[]> {
  if (links) return [...(await linksOfRows(tx, links)).values()]
  const rows = await tx.selectFrom('links').selectAll().where('account_id', '=', from).execute()
  return rows.map(readLink)
}

/** Also codes that lead nowhere any more: whoever has the links may use them again. */
async function giveLinks(tx: Tx, { from, to, links }: HandedOver, at: number): Promise<number> {
  const mine = tx
    .updateTable('links')
    .set(({ eb }) => ({ account_id: to, version: eb('version', '+', 1), updated_at: at }))
    .where('account_id', '=', from)
  const codes = tx.updateTable('short_codes').set({ account_id: to }).where('account_id', '=', from)
  const texts = tx.updateTable('link_texts').set({ account_id: to }).where('account_id', '=', from)
  let given = 0n
  for (const some of links ? inChunks(links) : [undefined]) {
    const { numUpdatedRows } = await (some
      ? mine.where('id', 'in', some)
      : mine
    ).executeTakeFirstOrThrow()
    await (some ? codes.where('link_id', 'in', some) : codes).execute()
    await (some ? texts.where('link_id', 'in', some) : texts).execute()
    given += numUpdatedRows
  }
  return Number(given)
}

/** What is kept of them says in several places whose they are. */
async function giveDeletedLinks(tx: Tx, { from, to }: HandedOver): Promise<void> {
  const owners = (await readForeignKeys(tx)).filter(({ toTable }) => toTable === 'accounts')
  for (let last = 0; ; ) {
    const kept = await tx
      .selectFrom('deleted_links')
      .selectAll()
      .where('account_id', '=', from)
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    for (const { id, link, rows } of kept) {
      const own = Object.entries(unpackRows(rows)).map(([table, ofTable]) => {
        const columns = owners.filter(key => key.table === table).map(({ column }) => column)
        const passed = Object.fromEntries(columns.map(column => [column, to]))
        return [table, ofTable.map(row => ({ ...row, ...passed }))]
      })
      await tx
        .updateTable('deleted_links')
        .set({
          account_id: to,
          link: JSON.stringify({ ...JSON.parse(link), account_id: to }),
          rows: packRows(Object.fromEntries(own)),
        })
        .where('id', '=', id)
        .execute()
      last = id
    }
    if (kept.length < atOnce) return
  }
}

const atOnce = 100

/** The row ids of links of an account, each named by its id or by a short URL. Refused: one that there is not, or of another account. */
export async function namedLinks(
  db: Database,
  { shortUrls }: { readonly shortUrls: Pick<ShortUrls, 'read'> },
  accountId: number,
  names: readonly string[],
): Promise<readonly number[] | Refusal> {
  const rows = new Set<number>()
  for (const [index, name] of names.entries()) {
    const link = await findNamed(db, shortUrls, name)
    if (link?.accountId !== accountId) return notTheirs(index)
    rows.add(link.rowId)
  }
  return [...rows]
}

async function findNamed(
  db: Database,
  shortUrls: Pick<ShortUrls, 'read'>,
  name: string,
): Promise<Link | undefined> {
  const rowId = readPublicId('lnk', name)
  if (rowId !== undefined) return (await linksOfRows(db, [rowId])).get(rowId)
  for (const place of shortUrls.read(name)) {
    const link = await findAnyByCode(db, place)
    if (link) return link
  }
  return undefined
}

function notTheirs(index: number): Refusal {
  const detail = 'The account has no such link.'
  return refuse('validation_failed', detail, 422, `links[${index}]`)
}
