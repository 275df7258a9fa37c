import type { Token } from '../../api/account/tokens.ts'
import { formatDate } from '../../shared/text/format.ts'
import { tokensTexts } from '../../texts/tokens.ts'

/** How long a token lasts from now: a number of days, for ever, or unchanged. */
export type Expiry = keyof typeof tokensTexts.expiry | 'kept'

const dayMs = 86_400_000

/** The expiry for a choice; undefined leaves it unchanged. */
export function expiryOf(choice: Expiry, now = Date.now()): string | null | undefined {
  if (choice === 'kept') return undefined
  return choice === 'never' ? null : new Date(now + Number(choice) * dayMs).toISOString()
}

/** The choices; for an existing token, keeping its expiry comes first. */
export function expiryOptions(token?: Pick<Token, 'expiresAt'>) {
  const choices = Object.entries(tokensTexts.expiry).map(([value, label]) => ({ value, label }))
  if (!token) return choices
  const kept = token.expiresAt === null ? tokensTexts.none : formatDate(token.expiresAt)
  return [{ value: 'kept', label: tokensTexts.keepExpiry(kept) }, ...choices]
}

export function isExpired({ expiresAt }: Pick<Token, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now
}
