import { hasPasskeys, PasskeyFailed, signByPasskey } from '../../api/client/passkeys.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { signInTexts } from '../../texts/settings.ts'

/** The answer to a second step: what was typed, or what the browser says for a passkey. Throws a sentence for people. */
export async function answerTo({ kind, options }: StepDue, typed: string): Promise<string> {
  if (kind !== 'passkey' || options === undefined) return typed
  if (!hasPasskeys()) throw new PasskeyFailed(signInTexts.noPasskeys)
  try {
    return await signByPasskey(options)
  } catch {
    throw new PasskeyFailed(signInTexts.passkeyNotUsed)
  }
}
