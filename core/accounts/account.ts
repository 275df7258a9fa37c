import type { Caller } from '../plugin.ts'

/** A person or program that owns links. */
export interface Account {
  readonly id: number
  /** Lower case. */
  readonly email: string
  readonly fullName: string | null
  readonly avatarUrl: string | null
  readonly isAdmin: boolean
  /** Slug of its plan. */
  readonly plan: string
  readonly hasPassword: boolean
  /** Another one for each password; nothing can be learned from it. */
  readonly passwordMark: string
  readonly emailVerifiedAt: Date | null
  /** When an admin suspended it: nobody acts for it since. Null if it is not suspended. */
  readonly suspendedAt: Date | null
  /** Whether its links lead nowhere meanwhile. */
  readonly linksClosed: boolean
  /** When its owner last signed in, to the hour. */
  readonly signedInAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A caller whose credential was checked. */
export interface SignedIn extends Caller {
  readonly account: Account
  readonly credential: 'token' | 'session'
  /** The public id of the token or session. */
  readonly credentialId?: string
  /** When the owner of the session was last proven to be who they are; absent for a token. */
  readonly authenticatedAt?: Date
  /** How the owner of the session was proven. */
  readonly methods?: readonly string[]
}
