import { z } from 'zod'
import { line } from '../lib/schema/lines.ts'
import type { Part, Slice } from './lists/slice.ts'
import type { Refusal } from './outcomes.ts'

/**
 * The API tokens of the account of `maker`: the caller that an endpoint or a mount of this plugin was given. Any other object, even
 * a copy, throws. Only `create` returns the whole token.
 *
 * @example
 * const made = await tokens.create(caller, { name: 'CI', scopes: ['links:read'], expiresAt: null })
 * return isRefusal(made) ? made : { data: made.token }
 */
export interface TokenKeeper {
  /**
   * A session that makes a token with the scope `*` or `admin` must give its `currentPassword`. `isDry`: all of it is undone,
   * and the token opens nothing.
   */
  create(
    maker: Caller,
    draft: TokenDraft,
    currentPassword?: string | null,
    isDry?: boolean,
  ): Promise<(Token & { readonly token: string }) | Refusal>
  /**
   * Lets a key go on that another program made. Nothing slows down who guesses keys from a copy of the database, so adopt only those
   * of at least 80 random bits, such as 16 letters and digits. The plan of the account decides at each use whether it has
   * tokens. What the account adopted before is returned as it is by now. Refused: `not_found`, `key_taken`, `validation_failed`.
   */
  adopt(accountId: number, key: AdoptedToken): Promise<Token | Refusal>
  list(maker: Caller, page: Slice): Promise<Part<Token> & { readonly total: number }>
  find(maker: Caller, id: string): Promise<Token | undefined>
  update(
    maker: Caller,
    id: string,
    change: Partial<TokenDraft>,
  ): Promise<Token | Refusal | undefined>
  /** False if the account has no such token. */
  revoke(maker: Caller, id: string): Promise<boolean | Refusal>
  /** Deletes the tokens of all accounts that expired before a moment. Resolves to their number. */
  forgetExpired(before: Date): Promise<number>
}

export interface TokenDraft {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

/**
 * A key that another program made. In lists of tokens it has no beginning of its text, but of its SHA-256.
 *
 * @example
 * const key = { sha256, name: 'Shlink: Website', scopes: ['links:write'], expiresAt: null }
 */
export interface AdoptedToken extends TokenDraft {
  /** SHA-256 of its text in UTF-8, as 64 hexadecimal digits. */
  readonly sha256: string
}

export interface Token {
  readonly id: string
  readonly name: string
  readonly tokenPrefix: string
  readonly scopes: readonly string[]
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/**
 * The caller of an endpoint or of a mount.
 *
 * @example
 * handle: async ({ caller }, { db }) => listOwn(db, caller.accountId)
 */
export interface Caller {
  readonly accountId: number
  readonly isAdmin: boolean
  /** The scopes of the token; `*` for a session. */
  readonly scopes: readonly string[]
  /** How the request was authenticated; absent on the command line. */
  readonly credential?: 'token' | 'session'
  /** When the token of the request expires; absent or null if it does not. */
  readonly expiresAt?: Date | null
}

/**
 * The schema of a scope of an API token. OpenAPI lists all scopes. It does not check whether the scope exists.
 *
 * @example
 * body: z.strictObject({ scopes: z.array(scopeSchema) })
 */
export const scopeSchema = z.string().max(50).meta({ id: 'Scope' })

/**
 * The schema of the name of an API token: one line of 1 to 100 characters.
 *
 * @example
 * body: z.strictObject({ name: tokenName })
 */
export const tokenName = line(100).meta({ examples: ['Website'] })
