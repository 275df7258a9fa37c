import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type Database, inOneGo, type Steps, step, type Tx } from '../../storage/database.ts'
import { isReserved, type Paths } from './short-code.ts'

/** A code to take for a link that exists. */
export interface CodeToTake {
  readonly domain: string
  readonly code: string
  readonly accountId: number
  readonly linkId: number
  readonly at: number
}

/**
 * Make a short code lead to a link, in the transaction that saves the link; false if the code is taken. A code
 * that was ever given out stays with its account even when its link is gone, and a link may go back to a code
 * that it had.
 */
export function takeCode(tx: Tx, wish: CodeToTake): Promise<boolean> {
  return inOneGo(tx, takingCode(tx, wish))
}

/** The same, as a part of other steps. */
export function* takingCode(tx: Tx, wish: CodeToTake): Steps<boolean> {
  const { numAffectedRows } = yield* step(insertUnlessTaken.withValues(tx, { ...wish }))
  return numAffectedRows === 1n || (yield* claimOwn(tx, wish))
}

/** Refuses a code that nobody can have; undefined for any other code, even a taken one. */
export function refuseReserved(domain: string, code: string, paths: Paths): Refusal | undefined {
  // On another host there is no path of ours that a code could hide.
  if (domain !== '' || !isReserved(code, paths)) return undefined
  return refuse('short_code_taken', `The short code ${code} is reserved.`, 409, 'shortCode')
}

/** The refusal of a code that another link has or had. */
export function refuseTaken(code: string): Refusal {
  return refuse('short_code_taken', `The short code ${code} is taken.`, 409, 'shortCode')
}

function* claimOwn(tx: Tx, { domain, code, accountId, linkId }: CodeToTake): Steps<boolean> {
  const claim = tx
    .updateTable('short_codes')
    .set({ link_id: linkId })
    .where('domain', '=', domain)
    .where('code', '=', code)
    .where('account_id', '=', accountId)
    .where(eb => eb.or([eb('link_id', 'is', null), eb('link_id', '=', linkId)]))
  const { numAffectedRows } = yield* step(claim.compile())
  return numAffectedRows === 1n
}

const insertUnlessTaken = compileOnce(
  (
    db: Database,
    { domain, code, linkId, accountId, at }: Places<{ [Key in keyof CodeToTake]: CodeToTake[Key] }>,
  ) =>
    db
      .insertInto('short_codes')
      .values({ domain, code, link_id: linkId, account_id: accountId, created_at: at })
      .onConflict(conflict => conflict.columns(['domain', 'code']).doNothing()),
)
