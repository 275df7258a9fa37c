import type { Context } from '../context.ts'
import type { Fields, Json } from '../fields.ts'
import type { Later, Refusal } from '../outcomes.ts'
import type { Tables } from '../plugin-tables.ts'

/**
 * A way to sign in at another server, such as that of a company: the browser is sent there, and comes back. Linnet makes and
 * checks `state`, and lets each attempt be finished once, within ten minutes, by the browser that began it.
 *
 * @example
 * unstable: {
 *   providers: {
 *     company: {
 *       label: 'Company account',
 *       begin: ({ returnUrl, state }) => ({ redirect: authorizeAt(returnUrl, state) }),
 *       finish: async ({ query }, context) => ({ issuer, subject: await subjectOf(query.code, context) }),
 *     },
 *   },
 * }
 */
export interface Provider<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The words of its button, such as `Company account`. */
  readonly label: string
  /** False hides it, such as while a setting is missing. It cannot be async. Default: true. */
  isReady?(context: Context<S, T, D>): boolean
  /** Returns where to send the browser; a refusal ends the attempt. Time limit: 10 s. */
  begin(asked: Begun, context: Context<S, T, D>): Later<Sent | Refusal>
  /** Returns who came back, or why nobody is signed in. People see the `code` of a refusal alone. Time limit: 10 s. */
  finish(came: Returned, context: Context<S, T, D>): Later<Identified | Refusal>
  /**
   * Returns where to send a browser that has just signed out here, to sign out there, too; undefined leaves it here. Only for
   * sessions that a provider opened. Time limit: 10 s; if it fails, the browser stays here.
   */
  leave?(left: Left, context: Context<S, T, D>): Later<{ readonly redirect: string } | undefined>
}

/** A browser that signed out. */
export interface Left {
  /** The page where people sign in, to come back to. It is always the same. */
  readonly returnUrl: string
}

/** A browser that is about to be sent away. */
export interface Begun {
  /** Where the provider must send it back to. It is always the same for this provider. */
  readonly returnUrl: string
  /** What the provider must send back as the parameter `state`. */
  readonly state: string
  /** Somebody who is signed in proves it again: have the provider ask for it, as by `prompt=login`. */
  readonly isProof: boolean
}

/** Where to send the browser. */
export interface Sent {
  /** An http or https URL, spelled as the `href` of a URL. */
  readonly redirect: string
  /** What `finish` needs again, such as a PKCE verifier, encrypted in a cookie. At most 1,000 bytes as JSON. */
  readonly keep?: Json
}

/** A browser that came back. */
export interface Returned {
  /** The parameters that it came with, each with its first value. */
  readonly query: Readonly<Record<string, string>>
  /** What `begin` kept; null if it kept nothing. */
  readonly keep: Json
  readonly returnUrl: string
}

/**
 * Who somebody is at a provider, checked by the plugin. The account is the one that signed in with this `issuer` and `subject`
 * before. The first time it is found by `match` or made by `create`, both only with a verified address; with neither, nobody is
 * signed in.
 */
export interface Identified {
  /** Names the provider; together with `subject` it never names anybody else. At most 500 characters. */
  readonly issuer: string
  /** At most 500 characters. */
  readonly subject: string
  /** The session there, as `unstable.signIn.endSessions` gets it when it ended. At most 500 characters. */
  readonly session?: string
  readonly email?: string
  /** True only if the provider made sure that the address is theirs. */
  readonly isEmailVerified?: boolean
  readonly fullName?: string
  /** How they proved it there, in words of RFC 8176; sessions show them after `fed`. */
  readonly methods?: readonly string[]
  /** Makes an account without a password, if there is none with this address. Default for `plan`: that of new accounts. */
  readonly create?: { readonly plan?: string }
  /** Takes the account that has the address. Who can get an address from the provider gets its account. */
  readonly match?: 'verifiedEmail'
  /** What the account gets at each of these sign-ins. */
  readonly set?: { readonly plan?: string; readonly isAdmin?: boolean }
}

/** Who may sign in by password, and proves by it again who they are. */
export type PasswordRule = 'everybody' | 'admins' | 'nobody'
