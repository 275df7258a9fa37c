/** Passkeys, which browsers make and use: https://www.w3.org/TR/webauthn-3/ */

/** Has the browser make a passkey by options of a server, both as JSON. Throws if it cannot, or if somebody does not want it. */
export async function makePasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options))
  return jsonOf(await navigator.credentials.create({ publicKey }))
}

/** Has the browser use one of the passkeys that the options name. Throws in the same cases. */
export async function signByPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options))
  return jsonOf(await navigator.credentials.get({ publicKey }))
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
