import { publicId } from '../../lib/public-id.ts'
import type { Database } from '../../storage/database.ts'
import { digest } from '../digest.ts'
import { deleteTokens, prefixLength, tellOfToken } from './token-rows.ts'

/**
 * Ensures that this token allows everything in the name of this account. The same token again changes nothing;
 * another token takes the place of the one before, which stops working at once.
 */
export async function ensureBootstrapToken(
  db: Database,
  accountId: number,
  token: string,
  now: () => Date,
): Promise<void> {
  const granted = {
    account_id: accountId,
    scopes: JSON.stringify(['*']),
    is_bootstrap: 1,
    expires_at: null,
  }
  await db.transaction().execute(async tx => {
    await deleteTokens(tx, now(), all =>
      all.where('is_bootstrap', '=', 1).where('token_hash', '!=', digest(token)),
    )
    const before = await tx
      .selectFrom('api_tokens')
      .selectAll()
      .where('token_hash', '=', digest(token))
      .executeTakeFirst()
    const after = await tx
      .insertInto('api_tokens')
      .values({
        ...granted,
        name: 'LINNET_BOOTSTRAP_TOKEN',
        token_hash: digest(token),
        prefix: token.slice(0, prefixLength),
        created_at: now().getTime(),
      })
      .onConflict(conflict => conflict.column('token_hash').doUpdateSet(granted))
      .returningAll()
      .executeTakeFirstOrThrow()
    await tellOfToken(tx, now(), before, after)
  })
}

/** The id of the token, whether or not the environment still has it; undefined if there is none. */
export async function bootstrapTokenId(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('is_bootstrap', '=', 1)
    .executeTakeFirst()
  return row && publicId('tok', row.id)
}

/** The account that the token acts for; undefined if there is no token, or the account is no longer an admin. */
export async function bootstrapTokenOwner(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
    .select('accounts.id')
    .where('is_bootstrap', '=', 1)
    .where('is_admin', '=', 1)
    .executeTakeFirst()
  return row?.id
}

/** Of 43 random characters about 31 are different, and never fewer than 16. */
export function isGuessable(token: string): boolean {
  return new Set(token.slice(prefixLength)).size < 16
}
