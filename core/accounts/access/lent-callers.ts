import type { Caller, TokenKeeper } from '../../plugin.ts'
import type { SignedIn } from '../account.ts'

/** The callers that plugins were given, each with the one whose credential was checked. */
const lent = new WeakMap<Caller, SignedIn>()

/** A caller as plugins get it: with what its type says, and known again when a plugin passes it on. */
export function lendCaller(signedIn: SignedIn): Caller {
  const { accountId, isAdmin, scopes, credential, expiresAt } = signedIn
  const ends = expiresAt && { expiresAt: new Date(expiresAt) }
  const caller = { accountId, isAdmin, scopes: [...scopes], credential, ...ends }
  lent.set(caller, signedIn)
  return caller
}

/** The same tokens for plugins: throws for a caller that was made up or copied, which could be an admin of any account. */
export function forLentCallers(tokens: TokenKeeper): TokenKeeper {
  return {
    create: async (maker, ...more) => tokens.create(lentCaller(maker), ...more),
    adopt: tokens.adopt,
    list: async (maker, page) => tokens.list(lentCaller(maker), page),
    find: async (maker, id) => tokens.find(lentCaller(maker), id),
    update: async (maker, id, change) => tokens.update(lentCaller(maker), id, change),
    revoke: async (maker, id) => tokens.revoke(lentCaller(maker), id),
    forgetExpired: tokens.forgetExpired,
  }
}

/** The caller as it was lent, whatever a plugin has changed about it since. */
export function lentCaller(caller: Caller): SignedIn {
  const known = lent.get(caller)
  if (known) return known
  throw new Error(
    'context got a caller that Linnet did not make: pass the caller that an endpoint or a mount was given, not a copy of it.',
  )
}
