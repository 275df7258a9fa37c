import type { Selectable } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { LinksTable } from '../../storage/schema.ts'
import { makeShortCode, type Paths } from './short-code.ts'
import { refuseReserved, refuseTaken, takeCode } from './take-code.ts'

type LinkRow = Selectable<LinksTable>
/** A link before it has a code. */
export type LinkWithoutCode = Omit<LinkRow, 'id' | 'short_code'>

/** More than enough: a random code of seven characters meets another once in 10^11. */
const maxAttempts = 16

/** Save a new link under the chosen code, or else under a random one. Refused: a code that is taken. */
export async function insertLink(
  tx: Tx,
  link: LinkWithoutCode,
  chosen: string | undefined,
  paths: Paths,
): Promise<LinkRow | Refusal> {
  if (chosen !== undefined) {
    return (
      refuseReserved(link.domain, chosen, paths) ??
      (await insertAs(tx, link, chosen)) ??
      refuseTaken(chosen)
    )
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await insertAs(tx, link, makeShortCode(attempt))
    if (row) return row
  }
  throw new Error(`No free short code in ${maxAttempts} attempts.`)
}

/** Undefined, with nothing saved, if the code is taken. */
async function insertAs(tx: Tx, link: LinkWithoutCode, code: string): Promise<LinkRow | undefined> {
  const {
    rows: [row],
  } = await insertUnlessThere(tx, { ...link, short_code: code })
  if (!row) return undefined
  const { id: linkId, domain, account_id: accountId, created_at: at } = row
  if (await takeCode(tx, { domain, code, accountId, linkId, at })) return row
  await tx.deleteFrom('links').where('id', '=', linkId).execute()
  return undefined
}

const insertUnlessThere = compileOnce((db: Database, link: Places<Omit<LinkRow, 'id'>>) =>
  db
    .insertInto('links')
    .values(link)
    .onConflict(conflict => conflict.columns(['domain', 'short_code']).doNothing())
    .returningAll(),
)
