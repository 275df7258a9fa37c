import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import {
  type Asked,
  type Challenge,
  lifeMs,
  makeChallenge,
  readChallenge,
  spendChallenge,
} from './challenges.ts'
import { siteOf } from './passkey-host.ts'
import { type OwnContext, type Passkey, passkeysOf, passkeyTable } from './tables.ts'

/** The longest id of a passkey: https://www.w3.org/TR/webauthn-3/#credential-id */
const mostIdBytes = 1_023

/** No account has this row id. */
const nobody = 0

const signIn: Asked = { what: 'sign-in', accountId: nobody }

/** What a browser needs to make a passkey: https://www.w3.org/TR/webauthn-3/#dictionary-makecredentialoptions */
export async function optionsToMake(accountId: number, context: OwnContext) {
  const [who] = await context.unstable.accounts.find([accountId])
  const known = await passkeysOf(accountId, context)
  return generateRegistrationOptions({
    rpName: context.unstable.brand().name ?? 'Linnet',
    rpID: siteOf(context).hostname,
    userName: who?.email ?? '',
    userID: userIdOf(accountId),
    challenge: makeChallenge({ what: 'make', accountId }, context),
    attestationType: 'none',
    timeout: lifeMs,
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Keeps the passkey that a browser made. False if it is none, or not for this account and this server. */
export async function keepPasskey(
  accountId: number,
  made: string,
  context: OwnContext,
): Promise<boolean> {
  const response = withoutAttestation(readJson<RegistrationResponseJSON>(made))
  if (!response) return false
  const { origin, hostname } = siteOf(context)
  let challenge: Challenge | undefined
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge(it) {
      challenge = readChallenge(it, { what: 'make', accountId }, context)
      return challenge !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: false,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo || !challenge) return false
  if (!(await spendChallenge(challenge, context))) return false
  const { id, publicKey, counter, transports } = registrationInfo.credential
  if (Buffer.byteLength(id, 'base64url') > mostIdBytes) return false
  // It can be found without a name, and asks for a finger, a face or a PIN.
  const isKept = response.clientExtensionResults?.credProps?.rk !== false
  const known = await passkeysOf(accountId, context)
  const at = context.now().getTime()
  const { numInsertedOrUpdatedRows } = await context.db
    .insertInto(passkeyTable)
    .values({
      ...{ id, account_id: accountId, counter, host: hostname, created_at: at, used_at: at },
      public_key: Buffer.from(publicKey).toString('base64url'),
      transports: JSON.stringify(wordsIn(transports)),
      signs_in: registrationInfo.userVerified && isKept ? 1 : 0,
      name: `Passkey ${known.length + 1}`,
    })
    .onConflict(it => it.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** What a browser says of the ways to a device, which the library takes as it comes. */
function wordsIn(transports: unknown): readonly string[] {
  const said: readonly unknown[] = Array.isArray(transports) ? transports : []
  return said
    .filter(it => typeof it === 'string' && /^[a-z-]{1,32}$/.test(it))
    .slice(0, 10) as string[]
}

/**
 * The same without what the maker of the device says of it, which was not asked for and is signed by whom the client likes: to
 * check it, the library asks addresses that stand in the client's certificates. Undefined if it is no passkey.
 * https://www.w3.org/TR/webauthn-3/#sctn-none-attestation
 */
function withoutAttestation(
  made: RegistrationResponseJSON | undefined,
): RegistrationResponseJSON | undefined {
  if (!made) return undefined
  try {
    const { response } = made
    const sent = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const none = new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', sent.get('authData')],
    ])
    const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none))
    return { ...made, response: { ...response, attestationObject } }
  } catch {
    return undefined
  }
}

/** What a browser needs to use one of some passkeys. */
export async function optionsToUse(
  accountId: number,
  known: readonly Passkey[],
  context: OwnContext,
) {
  return generateAuthenticationOptions({
    rpID: siteOf(context).hostname,
    challenge: makeChallenge({ what: 'use', accountId }, context),
    timeout: lifeMs,
    allowCredentials: known.map(descriptorOf),
    userVerification: 'preferred',
  })
}

/** What a browser needs to use any passkey that it has for this host, and to say whose it is. */
export async function optionsToSignIn(context: OwnContext) {
  return generateAuthenticationOptions({
    rpID: siteOf(context).hostname,
    challenge: makeChallenge(signIn, context),
    timeout: lifeMs,
    userVerification: 'required',
  })
}

/** Whether a browser used a passkey of the account. Each challenge is answered once. */
export async function acceptPasskey(
  accountId: number,
  answer: string,
  context: OwnContext,
): Promise<boolean> {
  const response = readJson<AuthenticationResponseJSON>(answer)
  const known = await passkeysOf(accountId, context)
  const passkey = known.find(({ id }) => id === response?.id)
  if (!response || !passkey) return false
  return isUsed(passkey, response, { what: 'use', accountId }, context)
}

/** The account whose passkey a browser used, with a finger, a face or a PIN; undefined if none may sign in by that alone. */
export async function ownerOfPasskey(
  answer: string,
  context: OwnContext,
): Promise<number | undefined> {
  const response = readJson<AuthenticationResponseJSON>(answer)
  if (typeof response?.id !== 'string') return undefined
  const passkey = await context.db
    .selectFrom(passkeyTable)
    .selectAll()
    .where('id', '=', response.id)
    .where('signs_in', '=', 1)
    .executeTakeFirst()
  if (!passkey) return undefined
  const accountId = passkey.account_id
  // What is left of a second factor that ended is nobody's way in.
  if (!(await context.unstable.signIn.isRequired(accountId))) return undefined
  const isTheirs =
    response.response?.userHandle === Buffer.from(userIdOf(accountId)).toString('base64url')
  return isTheirs && (await isUsed(passkey, response, signIn, context)) ? accountId : undefined
}

async function isUsed(
  passkey: Passkey,
  response: AuthenticationResponseJSON,
  asked: Asked,
  context: OwnContext,
): Promise<boolean> {
  const { origin, hostname } = siteOf(context)
  let challenge: Challenge | undefined
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge(it) {
      challenge = readChallenge(it, asked, context)
      return challenge !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: asked.what === 'sign-in',
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: Number(passkey.counter),
      transports: transportsOf(passkey),
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo || !challenge) return false
  if (!(await spendChallenge(challenge, context))) return false
  const { numUpdatedRows } = await context.db
    .updateTable(passkeyTable)
    .set({
      used_at: context.now().getTime(),
      counter: authenticationInfo.newCounter,
      host: hostname,
    })
    .where('id', '=', passkey.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What a browser sent, of which the library checks all but that it is an object. */
function readJson<T extends object>(text: string): T | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as T) : undefined
  } catch {
    return undefined
  }
}

function descriptorOf(passkey: Passkey) {
  return { id: passkey.id, transports: transportsOf(passkey) }
}

function transportsOf({ transports }: Passkey): AuthenticatorTransport[] {
  return JSON.parse(transports)
}

/** The same for all passkeys of an account, and nothing that says whose it is. */
function userIdOf(accountId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`account ${accountId}`))
}
