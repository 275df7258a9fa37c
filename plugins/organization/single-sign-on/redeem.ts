import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
  skipStateCheck,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { type Refusal, refuse } from '../../../core/plugin.ts'
import { type Claims, groupsIn } from './group-rules.ts'
import { clientOf, clocksApart, type OwnContext } from './reach-provider.ts'

/** Somebody who came back with a code. */
interface CameBack {
  readonly query: Readonly<Record<string, string>>
  readonly returnUrl: string
  readonly verifier: string
  readonly nonce: string
  readonly isProof: boolean
}

/** What the provider says of somebody, once all is checked that makes it true. Throws what no person can do anything about. */
export async function redeem(
  came: CameBack,
  context: OwnContext,
): Promise<{ readonly claims: Claims } | Refusal> {
  const client = await clientOf(context)
  try {
    const claims = await readClaims(client, came, context)
    const at = Math.floor(context.now().getTime() / 1_000)
    const isProven = typeof claims.auth_time === 'number' && at - claims.auth_time <= clocksApart
    return came.isProof && !isProven ? notProven : { claims }
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return refusedThere(error, context)
    // The provider may have changed altogether: the next attempt begins with what it says then.
    context.state.metadata = undefined
    throw sentenceOf(error)
  }
}

async function readClaims(
  client: Configuration,
  { query, returnUrl, verifier, nonce }: CameBack,
  { settings, now }: OwnContext,
): Promise<Claims> {
  const url = new URL(returnUrl)
  url.search = new URLSearchParams(query).toString()
  const tokens = await authorizationCodeGrant(client, url, {
    // Linnet has checked it.
    expectedState: skipStateCheck,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims: Claims & { readonly sub: string; readonly iat: number } = tokens.claims() ?? never()
  if (claims.iat > now().getTime() / 1_000 + clocksApart) {
    throw new Error('its ID token is from the future: are both clocks right?')
  }
  const isWhole =
    typeof claims.email === 'string' &&
    claims.email_verified !== undefined &&
    (groupsIn(claims, settings.groupsClaim) ?? ['']).length > 0
  if (isWhole || client.serverMetadata().userinfo_endpoint === undefined) return claims
  const more = await fetchUserInfo(client, tokens.access_token, claims.sub)
  const { iss, sub, sid, auth_time } = claims
  return { ...claims, ...more, iss, sub, sid, auth_time }
}

/** `access_denied` is what somebody chose there; all else is for the operator. */
function refusedThere({ error }: AuthorizationResponseError, { log }: OwnContext): Refusal {
  const why = /^[a-z_]{1,50}$/.test(error) ? error : 'unknown'
  if (why !== 'access_denied') log.warn('The provider signed nobody in', { why })
  return refuse('provider_refused', 'The provider signed nobody in.', 403)
}

function sentenceOf(error: unknown): Error {
  const isClient =
    error instanceof WWWAuthenticateChallengeError ||
    (error instanceof ResponseBodyError && error.error === 'invalid_client')
  if (isClient) {
    return new Error('The provider refuses the client: are its ID and LINNET_OIDC_SECRET right?')
  }
  if (error instanceof ResponseBodyError) {
    const { error: code, error_description: more } = error
    return new Error(`The provider refuses the code: ${[code, more].filter(Boolean).join(', ')}`)
  }
  if (!(error instanceof Error)) return new Error(String(error))
  const { cause } = error
  const why = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
  return new Error(`The provider's answer cannot be trusted: ${why}`, { cause: error })
}

function never(): never {
  throw new Error('there is no ID token')
}

const notProven = refuse('not_proven', 'The provider did not ask who it is.', 403)
