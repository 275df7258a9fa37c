import type { Objection } from '../../accounts/access/change-account.ts'
import { findAccount, findStaying } from '../../accounts/accounts.ts'
import { tellOfHandOver } from '../../accounts/tell-of-accounts.ts'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { readPublicId } from '../../lib/public-id.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { HandedOver } from '../../plugin/write-links.ts'
import {
  type Database,
  doOrTry,
  inTransactionUnlessRefused,
  type Tx,
} from '../../storage/database.ts'
import { readForeignKeys } from '../../storage/foreign-keys.ts'
import { isHeard } from '../../storage/outbox.ts'
import { handOverCounts } from '../../visits/upkeep/hand-over-counts.ts'
import type { LinkHooks } from '../hooks.ts'
import { type Link, readLink } from '../link.ts'
import { findAnyByCode, linksOfRows } from '../read/find-link.ts'
import type { ShortUrls } from '../read/short-urls.ts'
import { type TellDeps, tellOfLinks } from '../tell-of-links.ts'
import { giveCodes, inPartsOfLinks, type LinkRow } from './in-parts.ts'
import { packRows, unpackRows } from './rows-of-links.ts'

export interface HandOverDeps extends TellDeps {
  readonly hooks: Pick<LinkHooks, 'show' | 'handOver'>
}

/**
 * Gives links of an account to another, with their codes, counts and what plugins keep of them; without `links` all that it
 * has of these, deleted links that can be restored included. Returns how many links. Refused: if there is no other account,
 * or what a plugin or the plan of the other account says; undo the transaction then, and also after a trial, which gives only what
 * plugins keep: all else would keep everybody from writing, as often as somebody tries.
 */
export async function handOver(
  tx: Tx,
  deps: HandOverDeps,
  what: HandedOver,
  isTrial = false,
): Promise<number | Refusal> {
  const [owner, heir] = [await findAccount(tx, what.from), await findStaying(tx, what.to)]
  if (!heir || what.to === what.from) return noHeir
  const given = isTrial ? await countLinks(tx, what) : await giveLinks(tx, deps, what)
  const refused = await deps.hooks.handOver(tx, what, heir.plan)
  if (refused) return refused
  if (owner) await tellOfHandOver(tx, deps.now(), owner, heir, given)
  return given
}

/** Does it in a transaction of its own, or only tries it; undefined if there is no such account. Also refused: what `object` says. */
export function handOverWith(
  { db, ...deps }: HandOverDeps & { readonly db: Database },
  what: HandedOver,
  object: Objection,
  isTrial: boolean,
): Promise<number | Refusal | undefined> {
  return doOrTry(db, isTrial, db =>
    inTransactionUnlessRefused<number | undefined>(db, async tx => {
      const owner = await findAccount(tx, what.from)
      if (!owner) return undefined
      return (await object(owner, tx)) ?? handOver(tx, deps, what, isTrial)
    }),
  )
}

const noHeir = refuse('validation_failed', 'Must be another account.', 422, 'to')

async function countLinks(tx: Tx, { from, links }: HandedOver): Promise<number> {
  if (links) return links.length
  const { count } = await tx
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', from)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function giveLinks(tx: Tx, deps: HandOverDeps, what: HandedOver): Promise<number> {
  let given = 0
  const give = async (rows: readonly LinkRow[]) => {
    await giveRows(tx, deps, rows, what)
    given += rows.length
  }
  const { from, to, links } = what
  if (links) {
    await give(await rowsOf(tx, from, links))
    const codes = tx.updateTable('short_codes').set({ account_id: to })
    await codes.where('link_id', 'in', links).execute()
  } else {
    await inPartsOfLinks(tx, from, give)
    // Also codes that lead nowhere any more: whoever has the links may use them again.
    await giveCodes(tx, from, to)
    await giveDeletedLinks(tx, what)
  }
  await handOverCounts(tx, what)
  return given
}

function rowsOf(tx: Tx, accountId: number, links: readonly number[]): Promise<readonly LinkRow[]> {
  return tx
    .selectFrom('links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', links)
    .execute()
}

async function giveRows(
  tx: Tx,
  deps: HandOverDeps,
  rows: readonly LinkRow[],
  { from, to }: HandedOver,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const updated_at = deps.now().getTime()
  const toOther = { account_id: to }
  await tx
    .updateTable('links')
    .set(({ eb }) => ({ ...toOther, version: eb('version', '+', 1), updated_at }))
    .where('id', 'in', ids)
    .execute()
  await tx
    .updateTable('link_texts')
    .set(toOther)
    .where('account_id', '=', from)
    .where('link_id', 'in', ids)
    .execute()
  if (!isHeard(tx, 'link')) return
  await tellOfLinks(
    tx,
    deps,
    rows.map(row => ({
      before: readLink(row),
      after: readLink({ ...row, ...toOther, version: row.version + 1, updated_at }),
      changed: ['account'],
    })),
  )
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
    await yieldToRedirects()
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
