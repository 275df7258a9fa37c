import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { type AdoptedToken, type Token, tokenName } from '../../plugin.ts'
import { type Database, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { allows, checkKnown, strong } from './scopes.ts'
import { checkFuture, prefixLength, readToken, tellOfToken } from './token-rows.ts'

/**
 * Lets a key that another program made open the API, known only by its SHA-256. Adopted again by the same account it is the
 * token that there is, as its owner has it by now.
 */
export async function adoptToken(
  db: Database,
  accountId: number,
  key: AdoptedToken,
  { at, known }: { readonly at: Date; readonly known: readonly string[] },
): Promise<Token | Refusal> {
  const refusal = checkKey(key, known) ?? checkFuture(key.expiresAt, at)
  if (refusal) return refusal
  const row = await inTransactionUnlessRefused(db, tx => findOrAdd(tx, accountId, key, at))
  return isRefusal(row) ? row : readToken(row)
}

async function findOrAdd(tx: Tx, accountId: number, key: AdoptedToken, at: Date) {
  // In databases that lock rows, the account is not deleted meanwhile, and two who adopt the same key take turns.
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return refuse('not_found', 'There is no such account.', 404)
  const hash = key.sha256.toLowerCase()
  const row = await tx
    .insertInto('api_tokens')
    .values({
      account_id: accountId,
      name: key.name,
      token_hash: hash,
      // How it begins is not known, but who has it can tell its SHA-256.
      prefix: `sha256:${hash.slice(0, prefixLength)}`,
      scopes: JSON.stringify([...new Set(key.scopes)]),
      is_bootstrap: 0,
      created_at: at.getTime(),
      expires_at: key.expiresAt?.getTime() ?? null,
    })
    .onConflict(conflict => conflict.column('token_hash').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) {
    await tellOfToken(tx, at, undefined, row)
    return row
  }
  const there = await tx
    .selectFrom('api_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return there.account_id === accountId ? there : taken
}

function checkKey({ sha256, name, scopes }: AdoptedToken, known: readonly string[]) {
  if (!/^[\da-f]{64}$/i.test(sha256)) return wrong('sha256', 'Give 64 hexadecimal digits.')
  if (!tokenName.safeParse(name).success)
    return wrong('name', 'Give a line of 1 to 100 characters.')
  if (scopes.length === 0) return wrong('scopes', 'Give at least one scope.')
  const unknown = checkKnown(scopes, known)
  if (unknown) return unknown
  const most = strong.find(it => allows(scopes, it))
  return most && wrong('scopes', `A key that was made elsewhere cannot have the scope ${most}.`)
}

const wrong = (field: string, detail: string) => refuse('validation_failed', detail, 422, field)

const taken = refuse('key_taken', 'Another account has this key already.', 409, 'sha256')
