import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { readPublicId } from '../../lib/public-id.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import {
  type Caller,
  readSlice,
  type Token,
  type TokenDraft,
  type TokenKeeper,
} from '../../plugin.ts'
import {
  type Database,
  doOrTry,
  inTransactionUnlessRefused,
  type Tx,
} from '../../storage/database.ts'
import type { SignedIn } from '../account.ts'
import { digest, randomSecret } from '../digest.ts'
import { adoptToken } from './adopt-token.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import { holdCaller } from './hold-caller.ts'
import { allows, checkCovers, checkGrant, strong } from './scopes.ts'
import {
  checkFuture,
  deleteTokens,
  prefixLength,
  readScopes,
  readToken,
  tellOfToken,
} from './token-rows.ts'

/** How many API tokens an account may have. */
const maxTokens = 1_000

/** API tokens, each seen by its account only. */
export function createTokens({
  db,
  now,
  scopes,
}: {
  readonly db: Database
  readonly now: () => Date
  /** All scopes that a token can have. */
  readonly scopes: () => readonly string[]
}): TokenKeeper {
  return {
    async create(maker, draft, _, isDry = false) {
      const refusal =
        checkGrant(maker, draft.scopes, scopes()) ??
        checkFuture(draft.expiresAt, now()) ??
        checkOutlives(maker, draft.expiresAt)
      if (refusal) return refusal
      const token = `lnt_${randomSecret()}`
      const write = async (tx: Tx) => {
        const refused =
          (isSignedIn(maker) ? await holdCaller(tx, maker) : undefined) ??
          (await refuseMore(tx, maker.accountId))
        if (refused) return refused
        const row = await tx
          .insertInto('api_tokens')
          .values({
            account_id: maker.accountId,
            name: draft.name,
            token_hash: digest(token),
            prefix: token.slice(0, prefixLength),
            scopes: JSON.stringify([...new Set(draft.scopes)]),
            is_bootstrap: 0,
            created_at: now().getTime(),
            expires_at: draft.expiresAt?.getTime() ?? null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await tellOfToken(tx, now(), undefined, row)
        return row
      }
      const row = await doOrTry(db, isDry, db => inTransactionUnlessRefused(db, write))
      return isRefusal(row) ? row : { ...readToken(row), token }
    },

    adopt: (accountId, key) => adoptToken(db, accountId, key, { at: now(), known: scopes() }),

    async list(maker, page) {
      const mine = db.selectFrom('api_tokens').where('account_id', '=', maker.accountId)
      const newestFirst = { by: ['id'], descending: true }
      const { rows, next } = await readSlice(mine.selectAll(), newestFirst, page)
      const { total } = await mine
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { rows: rows.map(readToken), next, total: Number(total) }
    },

    async find(maker, id) {
      const row = await findRow(db, maker, id)
      return row && readToken(row)
    },

    update: (maker, id, change) =>
      inTransactionUnlessRefused<Token | undefined>(db, tx =>
        update(tx, maker, id, change, { at: now(), known: scopes() }),
      ),

    async revoke(maker, id) {
      const row = await findRow(db, maker, id)
      if (!row) return false
      const refusal = checkCovers(maker, readScopes(row.scopes))
      if (refusal) return refusal
      const deleted = await deleteTokens(db, now(), all =>
        // Only as it was checked above.
        all.where('id', '=', row.id).where('scopes', '=', row.scopes),
      )
      return deleted > 0
    },

    async forgetExpired(before) {
      let forgotten = 0
      for (let some = 1; some > 0; forgotten += some) {
        await yieldToRedirects()
        const ids = db.selectFrom('api_tokens').select('id')
        const old = ids.where('expires_at', '<', before.getTime()).limit(200)
        some = await deleteTokens(db, now(), all => all.where('id', 'in', old))
      }
      return forgotten
    },
  }
}

/** An admin sees and ends all tokens of an account at once. */
async function refuseMore(tx: Tx, accountId: number): Promise<Refusal | undefined> {
  const { used } = await tx
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (used < maxTokens) return undefined
  const detail = `An account may have ${maxTokens} API tokens, and those that ended in the last 30 days count. Delete some first.`
  const more = { limit: maxTokens, used: Number(used) }
  return refuse('limit_reached', detail, 403, undefined, more)
}

/** Commands on the server make tokens, too. */
function isSignedIn(maker: Caller): maker is SignedIn {
  return 'account' in maker
}

/** Whoever changes a token must be able to grant everything that it allows, before and afterwards. */
async function update(
  tx: Tx,
  maker: Caller,
  id: string,
  change: Partial<TokenDraft>,
  { at, known }: { readonly at: Date; readonly known: readonly string[] },
): Promise<Token | Refusal | undefined> {
  const row = await findRow(tx, maker, id)
  if (!row) return undefined
  const before = readToken(row)
  const scopes = change.scopes ?? before.scopes
  const refusal =
    checkCovers(maker, before.scopes) ??
    // A scope that it has already may belong to a plugin that is off now.
    checkGrant(maker, scopes, [...known, ...before.scopes]) ??
    checkFuture(change.expiresAt, at) ??
    checkOutlives(maker, change.expiresAt === undefined ? before.expiresAt : change.expiresAt)
  if (refusal) return refusal
  const changed = await tx
    .updateTable('api_tokens')
    .set({
      name: change.name ?? row.name,
      scopes: JSON.stringify([...new Set(scopes)]),
      expires_at:
        change.expiresAt === undefined ? row.expires_at : (change.expiresAt?.getTime() ?? null),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellOfToken(tx, at, row, changed)
  return readToken(changed)
}

function findRow(db: Database, maker: Caller, id: string) {
  return db
    .selectFrom('api_tokens')
    .selectAll()
    .where('account_id', '=', maker.accountId)
    .where('id', '=', rowNumber(id))
    .executeTakeFirst()
}

/** Rows are numbered from 1: 0 matches no token. */
function rowNumber(id: string): number {
  return readPublicId('tok', id) ?? 0
}

/** A token that is created or changed with another one ends no later; otherwise access could go on for ever. */
function checkOutlives({ expiresAt: end }: Caller, expiresAt: Date | null): Refusal | undefined {
  if (!end || (expiresAt !== null && expiresAt <= end)) return undefined
  const detail = `Your own token expires at ${end.toISOString()}, and this one must not expire later.`
  return refuse('validation_failed', detail, 422, 'expiresAt')
}

/**
 * Requires the current password when a session creates a token that allows everything, or what admins do, which
 * tokens may do without a password: a browser left open must not become a permanent credential.
 */
export function tokensWithPassword(tokens: TokenKeeper, confirm: ConfirmPassword): TokenKeeper {
  const isAsked = ({ credential }: Caller, scopes: readonly string[] = []) =>
    credential === 'session' && scopes.some(scope => strong.includes(scope))

  return {
    ...tokens,
    async create(maker, draft, currentPassword = null, isDry = false) {
      const refusal = isAsked(maker, draft.scopes) && (await confirm(maker, currentPassword))
      return refusal || tokens.create(maker, draft, null, isDry)
    },
    async update(maker, id, change) {
      // This may run in a transaction, which must not wait for a password to be checked.
      const before = isAsked(maker, change.scopes) ? await tokens.find(maker, id) : undefined
      const isWidened = before && !coversStrong(before.scopes, change.scopes)
      return isWidened ? makeAnew : tokens.update(maker, id, change)
    },
  }
}

function coversStrong(before: readonly string[], scopes: readonly string[] = []): boolean {
  return strong.every(it => !scopes.includes(it) || allows(before, it))
}

const makeAnew = refuse(
  'password_required',
  'An existing token cannot be changed to allow everything or what admins do. Create a new token, with your current password.',
  403,
  'scopes',
)
