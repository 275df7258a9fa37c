import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from '../../lib/encrypt.ts'
import type { SecretKeeper } from '../../plugin/unstable.ts'

/** Hides texts of one plugin, which no other plugin can reveal. */
export function hideSecrets(secret: Buffer, feature: string): SecretKeeper {
  let made: Buffer | undefined
  // Few plugins hide anything, and every start would derive the keys of all.
  const key = () =>
    (made ??= Buffer.from(hkdfSync('sha256', secret, '', `linnet plugin ${feature}`, 32)))
  return {
    hide: text => encrypt(key(), text).toString('base64url'),
    reveal(hidden) {
      try {
        return decrypt(key(), Buffer.from(hidden, 'base64url'))
      } catch {
        return undefined
      }
    },
  }
}
