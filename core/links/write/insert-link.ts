import type { Compilable, Selectable } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import { type Database, type Steps, step, type Tx } from '../../storage/database.ts'
import { kindOfDatabase } from '../../storage/database-kind.ts'
import type { LinksTable } from '../../storage/schema.ts'
import { makeShortCode, type Paths } from './short-code.ts'
import { refuseReserved, refuseTaken, takingCode } from './take-code.ts'

type LinkRow = Selectable<LinksTable>
/** A link before it has a code. */
export type LinkWithoutCode = Omit<LinkRow, 'id' | 'short_code'>

/** More than enough: a random code of seven characters meets another once in 10^11. */
const maxAttempts = 16

/** Save a new link under the chosen code, or else under a random one. Refused: a code that is taken. */
export function* insertLink(
  tx: Tx,
  link: LinkWithoutCode,
  chosen: string | undefined,
  paths: Paths,
): Steps<LinkRow | Refusal> {
  if (chosen !== undefined) {
    return (
      refuseReserved(link.domain, chosen, paths) ??
      (yield* insertAs(tx, link, chosen)) ??
      refuseTaken(chosen)
    )
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = yield* insertAs(tx, link, makeShortCode(attempt))
    if (row) return row
  }
  throw new Error(`No free short code in ${maxAttempts} attempts.`)
}

/** Undefined, with nothing saved, if the code is taken. */
function* insertAs(tx: Tx, link: LinkWithoutCode, code: string): Steps<LinkRow | undefined> {
  const named = { ...link, short_code: code }
  const { rows, insertId } = yield* step(insert.withValues(tx, named))
  const id = rows[0]?.id ?? Number(insertId)
  const { domain, account_id: accountId, created_at: at } = link
  if (yield* takingCode(tx, { domain, code, accountId, linkId: id, at })) return { id, ...named }
  yield* step(tx.deleteFrom('links').where('id', '=', id).compile())
  return undefined
}

const insert = compileOnce(
  (db: Database, link: Places<Omit<LinkRow, 'id'>>): Compilable<{ readonly id: number }> => {
    const insert = db.insertInto('links').values(link)
    // SQLite says the number of the last row by itself.
    return kindOfDatabase(db).isRemote
      ? insert.returning('id')
      : insert.$castTo<{ readonly id: number }>()
  },
)
