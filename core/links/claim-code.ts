import { type Refusal, refuse } from '../outcomes.ts'
import { compileOnce, type Places } from '../storage/compile-once.ts'
import type { Database, Tx } from '../storage/database.ts'
import { isReserved, makeShortCode } from './short-code.ts'

/** More than enough: a random code of seven characters meets another once in 10^11. */
const maxAttempts = 16

interface Wish {
  readonly domain: string
  /** Undefined: make one up. */
  readonly code: string | undefined
  readonly accountId: number
  /** The link that it is for; undefined while there is none. */
  readonly linkId?: number
  readonly at: number
}

/**
 * Take a short code for an account, in the transaction that saves its link: the code asked for, or a
 * fresh one. A code that was ever given out stays with its account, also when its link is gone, and a
 * link may go back to a code that it had.
 */
export async function claimCode(tx: Tx, wish: Wish): Promise<string | Refusal> {
  if (wish.code !== undefined) return claimChosen(tx, wish, wish.code)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const code = makeShortCode(attempt)
    if (await insertCode(tx, wish, code)) return code
  }
  throw new Error(`No free short code in ${maxAttempts} attempts.`)
}

/** Let the claimed code lead to its link. */
export async function pointCode(
  tx: Tx,
  { domain, code, linkId }: { domain: string; code: string; linkId: number },
): Promise<void> {
  await updateCode(tx, { domain, code, linkId })
}

const updateCode = compileOnce(
  (
    db: Database,
    { domain, code, linkId }: Places<{ domain: string; code: string; linkId: number }>,
  ) =>
    db
      .updateTable('short_codes')
      .set({ link_id: linkId })
      .where('domain', '=', domain)
      .where('code', '=', code),
)

async function claimChosen(tx: Tx, wish: Wish, code: string): Promise<string | Refusal> {
  // On another host there is no path of ours that a code could hide.
  if (wish.domain === '' && isReserved(code)) {
    return refuse('short_code_taken', `The short code ${code} is reserved.`, 409, 'shortCode')
  }
  if (await insertCode(tx, wish, code)) return code
  const own = await tx
    .selectFrom('short_codes')
    .select('code')
    .where('domain', '=', wish.domain)
    .where('code', '=', code)
    .where('account_id', '=', wish.accountId)
    .where(eb => eb.or([eb('link_id', 'is', null), eb('link_id', '=', wish.linkId ?? null)]))
    .executeTakeFirst()
  return own
    ? code
    : refuse('short_code_taken', `The short code ${code} is taken.`, 409, 'shortCode')
}

async function insertCode(tx: Tx, wish: Wish, code: string): Promise<boolean> {
  const { domain, accountId, at } = wish
  const { numAffectedRows } = await insertUnlessTaken(tx, { domain, code, accountId, at })
  return numAffectedRows === 1n
}

const insertUnlessTaken = compileOnce(
  (
    db: Database,
    {
      domain,
      code,
      accountId,
      at,
    }: Places<{ domain: string; code: string; accountId: number; at: number }>,
  ) =>
    db
      .insertInto('short_codes')
      .values({ domain, code, link_id: null, account_id: accountId, created_at: at })
      .onConflict(conflict => conflict.columns(['domain', 'code']).doNothing()),
)
