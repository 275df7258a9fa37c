import { isDeepStrictEqual } from 'node:util'
import type { DeleteQueryBuilder, Selectable } from 'kysely'
import { publicId } from '../../lib/public-id.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Token } from '../../plugin.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { tell } from '../../storage/outbox.ts'
import type { ApiTokensTable, Schema } from '../../storage/schema.ts'

/** How many characters of a token are kept as they are, so that people can tell tokens apart. */
export const prefixLength = 10

type TokenRow = Selectable<ApiTokensTable>

/** A token as its account sees it. */
export function readToken(row: TokenRow): Token {
  return {
    id: publicId('tok', row.id),
    name: row.name,
    tokenPrefix: row.prefix,
    scopes: readScopes(row.scopes),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    createdAt: new Date(row.created_at),
  }
}

/** Writes the event of a token in the transaction that makes or changes it, if any plugin hears of tokens. */
export async function tellOfToken(
  tx: Tx,
  at: Date,
  before: TokenRow | undefined,
  after: TokenRow,
): Promise<void> {
  const [old, now] = [before && shown(before), shown(after)]
  if (isDeepStrictEqual(old, now)) return
  await tell(tx, 'token', at, [after], ({ account_id: accountId }) => ({
    accountId,
    before: old,
    after: now,
  }))
}

/** The tokens of an account, newest first. */
export async function listTokens(db: Database, accountId: number): Promise<readonly Token[]> {
  const mine = db.selectFrom('api_tokens').selectAll().where('account_id', '=', accountId)
  return (await mine.orderBy('id', 'desc').execute()).map(readToken)
}

type Deleting = DeleteQueryBuilder<Schema, 'api_tokens', unknown>

/** Deletes tokens and tells of it; returns how many there were. */
export function deleteTokens(
  db: Database,
  at: Date,
  which: (all: Deleting) => Deleting,
): Promise<number> {
  return inTransaction(db, async tx => {
    const rows = await which(tx.deleteFrom('api_tokens')).returningAll().execute()
    await tell(tx, 'token', at, rows, row => ({ accountId: row.account_id, before: shown(row) }))
    return rows.length
  })
}

/** Without what says when it was last used, which is no change that anybody made. */
function shown(row: TokenRow) {
  const { lastUsedAt: _, expiresAt, createdAt, ...token } = readToken(row)
  return {
    ...token,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** Reads the scopes in the row of a token. */
export function readScopes(stored: string): readonly string[] {
  return JSON.parse(stored)
}

/** Refuses a token that would be expired from the start. */
export function checkFuture(expiresAt: Date | null | undefined, at: Date): Refusal | undefined {
  if (!expiresAt || expiresAt > at) return undefined
  return refuse('validation_failed', 'Enter a moment in the future.', 422, 'expiresAt')
}
