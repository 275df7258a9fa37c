import { hasPasskeys, makePasskey, PasskeyFailed } from '../../api/client/passkeys.ts'
import type { Answer } from '../../api/instance/panels.ts'
import { signInTexts } from '../../texts/settings.ts'

/** The passkey that the browser makes by the options in an answer. Throws a sentence for people. */
export async function makePasskeyOf({ data: body }: Answer): Promise<string> {
  const { data } = (body ?? {}) as { readonly data?: { readonly options?: string } }
  if (!hasPasskeys()) throw new PasskeyFailed(signInTexts.noPasskeys)
  try {
    return await makePasskey(data?.options ?? '')
  } catch {
    throw new PasskeyFailed(signInTexts.passkeyNotMade)
  }
}
