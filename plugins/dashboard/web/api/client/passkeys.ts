/** Passkeys, which browsers make and use: https://www.w3.org/TR/webauthn-3/ */

/** Has the browser make a passkey by options of a server, both as JSON. Throws if it cannot, or if somebody does not want it. */
export async function makePasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options))
  return jsonOf(await navigator.credentials.create({ publicKey }))
}

/** Has the browser use one of the passkeys that the options name. Throws in the same cases. */
export async function signByPasskey(options: string): Promise<string> {
  // A browser does one at a time.
  offering?.abort()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options))
  return jsonOf(await navigator.credentials.get({ publicKey }))
}

let offering: AbortController | undefined

/**
 * Has the browser offer its passkeys in the list of an input with `autocomplete="webauthn"`. Resolves once somebody chooses one;
 * to `late` after so many milliseconds, and to `nobody` if it is ended, or if another passkey is used meanwhile.
 */
export async function offerPasskeys(
  options: string,
  left: AbortSignal,
  lifeMs: number,
): Promise<string> {
  const mine = new AbortController()
  offering?.abort()
  offering = mine
  const late = AbortSignal.timeout(lifeMs)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options))
  const signal = AbortSignal.any([left, mine.signal, late])
  try {
    return jsonOf(await navigator.credentials.get({ publicKey, mediation: 'conditional', signal }))
  } catch {
    return late.aborted && !left.aborted && !mine.signal.aborted ? 'late' : 'nobody'
  }
}

/** Why there is no passkey, as a sentence for people. */
export class PasskeyFailed extends Error {}

/** Over plain http, and by IP address, browsers have none. */
export function hasPasskeys(): boolean {
  return isSecureContext && typeof PublicKeyCredential !== 'undefined'
}

function jsonOf(credential: Credential | null): string {
  return JSON.stringify((credential as PublicKeyCredential | null)?.toJSON())
}
