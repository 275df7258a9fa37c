import { z } from 'zod'
import type { Refusal } from './outcomes.ts'
import type { Part, Slice } from './slice.ts'

/**
 * API tokens of one account; the whole token is known only at the moment it is made.
 *
 * @example
 * const made = await tokens.create(caller, { name: 'CI', scopes: ['links:read'], expiresAt: null })
 * return isRefusal(made) ? made : { data: made.token }
 */
export interface TokenKeeper {
  /** `currentPassword` is asked for where a session makes a token that allows `*`. */
  create(
    maker: Caller,
    draft: TokenDraft,
    currentPassword?: string | null,
  ): Promise<(Token & { readonly token: string }) | Refusal>
  list(maker: Caller, page: Slice): Promise<Part<Token> & { readonly total: number }>
  find(maker: Caller, id: string): Promise<Token | undefined>
  update(
    maker: Caller,
    id: string,
    change: Partial<TokenDraft>,
  ): Promise<Token | Refusal | undefined>
  revoke(maker: Caller, id: string): Promise<boolean | Refusal>
  /** Forget tokens of all accounts that expired before a moment; gives how many. */
  forgetExpired(before: Date): Promise<number>
}

export interface TokenDraft {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
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
 * Who calls an endpoint.
 *
 * @example
 * handle: async ({ caller }, { db }) => listOwn(db, caller.accountId)
 */
export interface Caller {
  readonly accountId: number
  readonly isAdmin: boolean
  /** What the credential allows; a session allows `*`. */
  readonly scopes: readonly string[]
  /** What came with the request; absent on the command line. */
  readonly credential?: 'token' | 'session'
  /** When the token that came ends; absent or null: not at a set time. */
  readonly expiresAt?: Date | null
}

/**
 * A scope of an API token; OpenAPI lists those there are. Which may be granted is looked up by who grants it.
 *
 * @example
 * body: z.strictObject({ scopes: z.array(scopeSchema) })
 */
export const scopeSchema = z.string().max(50).meta({ id: 'Scope' })
