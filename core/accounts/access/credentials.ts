import { batchConcurrent } from '../../lib/async/batch-concurrent.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { publicId } from '../../lib/public-id.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Actor, Log } from '../../plugin.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import type { Database } from '../../storage/database.ts'
import { pace } from '../../storage/database-kind.ts'
import type { SignedIn } from '../account.ts'
import { readAccount } from '../accounts.ts'
import { digest } from '../digest.ts'
import { readSession, refreshSession, sessionId } from './sessions/sessions.ts'
import { suspended } from './suspend-account.ts'
import { readScopes } from './token-rows.ts'

const minuteMs = 60_000

/** Who a request comes from. Scopes are not checked here, but where it is known which one the route needs. */
export interface Credentials {
  /** Refused: `invalid_token`, 401; `account_suspended`, `feature_disabled` and `feature_not_in_plan`, 403. */
  byToken(token: string): Promise<SignedIn | Refusal>
  /** By the value of the session cookie; undefined when the session is over. */
  bySession(session: string): Promise<SignedIn | undefined>
}

export function createCredentials({
  db,
  entitlements,
  feature,
  now,
  log,
}: {
  readonly db: Database
  readonly entitlements: Entitlements
  /** The feature without which no token opens the API. */
  readonly feature: string
  readonly now: () => Date
  readonly log: Log
}): Credentials {
  /** No request waits for this note that its credential was used, or fails with it. */
  function note(work: Promise<unknown>): void {
    work.catch(error =>
      log.warn('The last use of a session or token could not be saved', { error }),
    )
  }

  const findToken = tokenFinder(db)

  return {
    async byToken(token) {
      const found = await findToken(digest(token))
      const at = now()
      if (!found || (found.expiresAt !== null && found.expiresAt <= at.getTime())) {
        return refuse('invalid_token', 'The API token is unknown, expired or revoked.', 401)
      }
      if (found.account.suspendedAt) return suspended
      const barred = entitlements.check(found.account.plan, feature)
      if (barred) return barred
      if (isStale(found.lastUsedAt, at)) note(noteUse(db, found.tokenId, at))
      return {
        account: found.account,
        accountId: found.account.id,
        isAdmin: found.account.isAdmin,
        scopes: found.scopes,
        credential: 'token',
        credentialId: publicId('tok', found.tokenId),
        expiresAt: found.expiresAt === null ? null : new Date(found.expiresAt),
      }
    },

    async bySession(session) {
      const found = await readSession(db, session, now)
      if (!found) return undefined
      const { account, seenAt, authenticatedAt, methods } = found
      note(refreshSession(db, session, seenAt, now))
      return {
        account,
        accountId: account.id,
        isAdmin: account.isAdmin,
        scopes: ['*'],
        credential: 'session',
        credentialId: sessionId(session),
        authenticatedAt,
        methods,
      }
    },
  }
}

const selectTokens = compileOnce(
  (db: Database, { hashes }: Places<{ hashes: readonly string[] }>) =>
    db
      .selectFrom('api_tokens')
      .innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
      .selectAll('accounts')
      .select(['api_tokens.id as token_id', 'token_hash', 'scopes', 'last_used_at', 'expires_at'])
      .where('token_hash', 'in', hashes),
)

type Row = Awaited<ReturnType<typeof selectTokens>>['rows'][number]

/** Tokens that arrive during a look-up that is a round trip are looked up together in the next. */
function tokenFinder(db: Database) {
  return batchConcurrent({
    ...pace(db),
    keyOf: () => undefined,
    async work(hashes: readonly string[]) {
      const found = await findTokens(db, [...new Set(hashes)])
      return hashes.map(hash => found.get(hash))
    },
  })
}

async function findTokens(db: Database, hashes: readonly string[]) {
  const { rows } = await selectTokens(db, { hashes })
  return new Map(rows.map(row => [row.token_hash, readToken(row)]))
}

function readToken(row: Row) {
  return {
    account: readAccount(row),
    tokenId: row.token_id,
    scopes: readScopes(row.scopes),
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}

/** A caller as events name who acts. */
export function actorOf({ accountId, credential, credentialId }: SignedIn): Actor {
  return {
    kind: 'account',
    accountId,
    by: credential,
    ...(credentialId !== undefined && { credential: credentialId }),
  }
}

/** A use is noted at most once a minute, even if the clock was set back. */
function isStale(lastUsedAt: number | null, at: Date): boolean {
  return lastUsedAt === null || Math.abs(at.getTime() - lastUsedAt) >= minuteMs
}

async function noteUse(db: Database, tokenId: number, at: Date): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: at.getTime() })
    .where('id', '=', tokenId)
    .execute()
}
