import type { Context, Fields } from '../../../core/plugin.ts'

export const table = 'organization_second_factor'
export const passkeyTable = 'organization_second_factor_passkeys'
export const challengeTable = 'organization_second_factor_challenges'

export interface Tables {
  readonly [table]: Factor
  readonly [passkeyTable]: Passkey
  readonly [challengeTable]: AnsweredChallenge
}

/** What somebody signs in with besides the password. */
export interface Factor {
  readonly account_id: number
  /** In base32, as authenticator apps take it, and hidden; empty if there is no app. */
  readonly secret: string
  /** The latest half minute whose code was used; 0 as long as none was. */
  readonly used_step: number
  /** JSON list of the digests of recovery codes that were not used. */
  readonly recovery: string
}

/** A passkey, as a browser made it: https://www.w3.org/TR/webauthn-3/ */
export interface Passkey {
  /** In base64url. */
  readonly id: string
  readonly account_id: number
  /** COSE, in base64url. */
  readonly public_key: string
  /** How often it was used, as it says itself; many say 0 for ever. */
  readonly counter: number
  /** JSON list of how it can be reached, such as `internal`. */
  readonly transports: string
  /** For which host it was made; empty if that was not noted. */
  readonly host: string
  /** What its owner calls it. */
  readonly name: string
  /** 1 if it signs its owner in without the password, 0 if it is asked for after it. */
  readonly signs_in: number
  readonly created_at: number
  /** When it was used last; as long as it was not, when it was made. */
  readonly used_at: number
}

/** What a browser was asked, and has answered: nobody answers it again. */
interface AnsweredChallenge {
  readonly id: string
  readonly ends_at: number
}

export type OwnContext<S extends Fields = Fields> = Context<S, unknown, Tables>

/** How many passkeys somebody may have. */
export const maxPasskeys = 20

export function passkeysOf(accountId: number, { db }: Pick<OwnContext, 'db'>): Promise<Passkey[]> {
  return db
    .selectFrom(passkeyTable)
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}
