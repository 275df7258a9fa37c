import type { SignedIn } from '../../accounts/account.ts'
import { readPublicId } from '../../lib/public-id.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { DeletedLinksTable } from '../../storage/schema.ts'
import { putCountsBack } from '../../visits/upkeep/remove-counts.ts'
import { type Link, readLink } from '../link.ts'
import { renewLinkText } from '../link-text.ts'
import { findLink } from '../read/find-link.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import type { CodeOfLink, KeptLink } from './deleted-links.ts'
import { type LinkDeps, writeLinks } from './link-deps.ts'
import { unpackRows, writeRowsOfLink } from './rows-of-links.ts'
import { refuseForm, refuseReserved, refuseTaken, takeCode } from './take-code.ts'

/**
 * Brings a deleted link back with all that went with it; one that is there is returned as it is. Refused: if its short code
 * leads to another link now, or a plugin objects.
 */
export async function restoreLink(
  deps: LinkDeps,
  caller: SignedIn,
  id: string,
): Promise<Link | Refusal> {
  const { db, hooks, cache, remover } = deps
  const { accountId } = caller
  const kept = await findKept(db, { accountId, id })
  if (!kept) return thereOrNot(db, caller, id)
  const before = readLink(kept.row)
  const astray = refuseHost(deps, before)
  if (astray) return astray
  const draft = await hooks.prepare(
    { ...before, kind: 'edit', attempt: 0, link: before, given: {}, before: before.fields },
    caller,
  )
  if (isRefusal(draft)) return draft
  // Where it leads may have become harmful meanwhile.
  const unfit = await hooks.validateLink(before, caller)
  if (unfit) return unfit

  let isWhole = true
  const link = await writeLinks(deps, async tx => {
    const now = await takeKept(tx, { accountId, id })
    if (!now) return thereOrNot(tx, caller, id)
    const row = { ...now.row, version: now.row.version + 1 }
    await tx.insertInto('links').values(row).execute()
    const restored = readLink(row)
    const refusal = await takeCodes(deps, tx, restored, now.codes)
    if (refusal) return refusal
    await writeRowsOfLink(tx, now.rows)
    const unplaced = await placeOnHost(deps, tx, restored)
    if (unplaced) return unplaced
    await renewLinkText(tx, restored)
    await tellOfLinks(tx, deps, [{ after: restored, isRestored: true }])
    isWhole = await putCountsBack(tx, restored)
    await deps.trial?.look(tx, [restored])
    return restored
  })
  if (isRefusal(link)) return link
  if (!isWhole) remover.wake()
  cache.forget(link.rowId)
  hooks.announceCreated(link, caller.account.plan)
  return link
}

/** A domain can be removed once no link is on it. */
function refuseHost(
  { hosts }: Pick<LinkDeps, 'hosts'>,
  { domain, accountId }: Link,
): Refusal | undefined {
  if (domain === '') return undefined
  const host = hosts.all().get(domain)
  if (host !== undefined && host !== 'shut' && [accountId, null].includes(host.accountId))
    return undefined
  const detail = `The link was on ${domain}, where your links cannot be now. Add the domain again, then restore it.`
  return refuse('validation_failed', detail, 422, 'domain')
}

/** The rows that put it on its host are gone with a domain that was removed and added again. */
async function placeOnHost(
  { hooks }: Pick<LinkDeps, 'hooks'>,
  tx: Tx,
  link: Link,
): Promise<Refusal | undefined> {
  if (link.domain === '') return undefined
  const placed = await hooks.save(tx, link, { domain: link.domain }, 'edit')
  return isRefusal(placed) ? placed : undefined
}

interface Asked {
  readonly accountId: number
  readonly id: string
}

async function findKept(db: Database, { accountId, id }: Asked): Promise<KeptLink | undefined> {
  const row = await db
    .selectFrom('deleted_links')
    .selectAll()
    .where('id', '=', readPublicId('lnk', id) ?? 0)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && readKept(row)
}

/** Of several who restore a link at once, one has it. */
async function takeKept(tx: Tx, { accountId, id }: Asked): Promise<KeptLink | undefined> {
  const row = await tx
    .deleteFrom('deleted_links')
    .where('id', '=', readPublicId('lnk', id) ?? 0)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst()
  return row && readKept(row)
}

function readKept({ link, codes, rows }: DeletedLinksTable): KeptLink {
  return {
    row: JSON.parse(link) as KeptLink['row'],
    codes: JSON.parse(codes) as readonly CodeOfLink[],
    rows: unpackRows(rows),
  }
}

async function thereOrNot(db: Database, { accountId }: SignedIn, id: string) {
  return (
    (await findLink(db, accountId, id)) ?? refuse('not_found', 'This link does not exist.', 404)
  )
}

/** The current code must be free. Former ones that lead to another link by now stay there. */
async function takeCodes(
  deps: LinkDeps,
  tx: Tx,
  { domain, shortCode, rowId, accountId, createdAt }: Link,
  codes: readonly CodeOfLink[],
): Promise<Refusal | undefined> {
  const taking = { link_id: rowId, account_id: accountId, created_at: createdAt.getTime() }
  const refusal =
    refuseForm(deps, domain, shortCode) ?? refuseReserved(domain, shortCode, deps.paths)
  if (refusal) return refusal
  if (!(await takeCode(tx, { ...taking, domain, code: shortCode })))
    return refuseTaken(domain, shortCode)
  for (const { domain, code } of codes) {
    if (await takeCode(tx, { ...taking, domain, code })) continue
    // Another link may have what is the same by the rules of the host.
    await tx
      .updateTable('short_codes')
      .set({ link_id: null })
      .where('domain', '=', domain)
      .where('code', '=', code)
      .where('link_id', '=', rowId)
      .execute()
  }
  return undefined
}
