import { refuse } from '../../plugin/outcomes.ts'
import type { Caller, TokenKeeper } from '../../plugin.ts'
import type { ConfirmPassword } from './confirm-password.ts'

/**
 * Tokens of which a session makes none that allows everything without the current password: a browser left
 * open must not become a credential for good.
 */
export function tokensWithPassword(tokens: TokenKeeper, confirm: ConfirmPassword): TokenKeeper {
  const isAsked = ({ credential }: Caller, scopes: readonly string[] = []) =>
    credential === 'session' && scopes.includes('*')

  return {
    ...tokens,
    async create(maker, draft, currentPassword = null) {
      const refusal = isAsked(maker, draft.scopes) && (await confirm(maker, currentPassword))
      return refusal || tokens.create(maker, draft)
    },
    async update(maker, id, change) {
      // It may run in a transaction, where nobody can wait for a password to be checked.
      const before = isAsked(maker, change.scopes) ? await tokens.find(maker, id) : undefined
      return before && !before.scopes.includes('*') ? makeAnew : tokens.update(maker, id, change)
    },
  }
}

const makeAnew = refuse(
  'password_required',
  'An existing token cannot be changed to allow everything. Create a new token, with your current password.',
  403,
  'scopes',
)
