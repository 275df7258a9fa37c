import { createHash, randomBytes } from 'node:crypto'
import {
  type Context,
  definePlugin,
  type Identified,
  type Json,
  optional,
  type Refusal,
  type Returned,
  refuse,
  secret,
  text,
  toggle,
  z,
} from 'linnet/plugin'

const settings = {
  issuer: optional(
    text({
      label: 'Issuer',
      hint: 'Such as https://login.example.org, as the provider writes it.',
      pattern: /^https:\/\/\S+$/,
    }),
  ),
  clientId: optional(text({ label: 'Client id' })),
  clientSecret: secret({ label: 'Client secret', env: 'SINGLE_SIGN_ON_SECRET' }),
  createsAccounts: toggle({ label: 'Make accounts for people who have none', default: false }),
  matchesAddresses: toggle({
    label: 'Sign people in to the account with their verified address',
    hint: 'Whoever gets an address at the provider gets the account that has it here.',
    default: false,
  }),
}

/** What the provider says of itself: OpenID Connect Discovery 1.0, section 3. */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https$/ }),
  token_endpoint: z.url({ protocol: /^https$/ }),
})
type Metadata = z.output<typeof metadataSchema>

/** What it says of somebody who signed in: OpenID Connect Core 1.0, section 2. */
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: z.number(),
  nonce: z.string(),
  auth_time: z.number().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
})

const kept = z.strictObject({ verifier: z.string(), nonce: z.string(), isProof: z.boolean() })

/** What was read of the provider, and when. */
interface State {
  metadata: Metadata | undefined
  readAt: number
}

type OwnContext = Context<typeof settings, State>

const anHourMs = 3_600_000
/** How long ago somebody may have signed in there who proves again who they are, in seconds. */
const freshSeconds = 300

export default definePlugin({
  feature: 'custom.singleSignOn',
  about: 'Let people sign in at a provider that speaks OpenID Connect.',
  settings,
  setup: (): State => ({ metadata: undefined, readAt: 0 }),
  unstable: {
    providers: {
      company: {
        label: 'Single sign-on',
        isReady: ({ settings: { issuer, clientId } }) => Boolean(issuer && clientId),
        async begin({ returnUrl, state, isProof }, context) {
          const { authorization_endpoint } = await discover(context)
          const [verifier, nonce] = [randomText(), randomText()]
          const url = new URL(authorization_endpoint)
          const asked = {
            ...{ response_type: 'code', scope: 'openid email profile', state, nonce },
            ...{ client_id: context.settings.clientId ?? '', redirect_uri: returnUrl },
            ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
            ...(isProof && { prompt: 'login', max_age: '0' }),
          }
          for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
          return { redirect: url.href, keep: { verifier, nonce, isProof } }
        },
        finish: (came, context) => identify(came, context),
      },
    },
  },
})

/** Read when it is first needed, so that a provider that is down keeps nothing else from starting. */
async function discover({
  settings: { issuer = '' },
  state,
  fetch,
  now,
}: OwnContext): Promise<Metadata> {
  const at = now().getTime()
  if (state.metadata && at - state.readAt < anHourMs) return state.metadata
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`
  const { status, body } = await fetch(url, { toOwnNetwork: true })
  if (status !== 200) throw new Error(`The provider answers ${status} for its configuration`)
  const metadata = metadataSchema.parse(parse(body))
  // Another issuer could name itself as it likes: section 4.3.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
    throw new Error(`The provider calls itself ${metadata.issuer}: set the issuer to that`)
  }
  Object.assign(state, { metadata, readAt: at })
  return metadata
}

async function identify({ query, keep, returnUrl }: Returned, context: OwnContext) {
  const { settings, now } = context
  const metadata = await discover(context)
  // RFC 9207: the answer of another provider.
  if (query.iss !== undefined && query.iss !== metadata.issuer) return notThem
  if (query.code === undefined) return notThem
  const { verifier, nonce, isProof } = kept.parse(keep)
  const idToken = await redeem(query.code, { verifier, returnUrl, metadata }, context)
  const claims = claimsSchema.parse(claimsOf(idToken))
  const at = Math.floor(now().getTime() / 1_000)
  const audience = [claims.aud].flat()
  const isForUs =
    claims.iss === metadata.issuer &&
    audience.includes(settings.clientId ?? '') &&
    (audience.length === 1 || claims.azp === settings.clientId) &&
    claims.nonce === nonce &&
    claims.exp > at
  if (!isForUs) return notThem
  if (isProof && !(claims.auth_time !== undefined && at - claims.auth_time <= freshSeconds)) {
    return notFresh
  }
  const who: Identified = {
    ...{ issuer: claims.iss, subject: claims.sub },
    isEmailVerified: claims.email_verified === true,
    ...(claims.email !== undefined && { email: claims.email }),
    ...(claims.name !== undefined && { fullName: claims.name }),
    ...(settings.createsAccounts && { create: {} }),
    ...(settings.matchesAddresses && { match: 'verifiedEmail' }),
  }
  return who
}

/**
 * Exchanges the code for the identity token. Its signature need not be checked, because it comes from the provider itself
 * over TLS: OpenID Connect Core 1.0, section 3.1.3.7.
 */
async function redeem(
  code: string,
  asked: { readonly verifier: string; readonly returnUrl: string; readonly metadata: Metadata },
  { settings: { clientId = '', clientSecret }, fetch }: OwnContext,
): Promise<string> {
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: asked.returnUrl },
    ...{ code_verifier: asked.verifier, client_id: clientId },
  })
  const basic = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':')
  const { status, body } = await fetch(asked.metadata.token_endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(clientSecret && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
    },
    body: form.toString(),
    toOwnNetwork: true,
  })
  if (status !== 200) throw new Error(`The provider answers ${status} for a code`)
  return z.object({ id_token: z.string() }).parse(parse(body)).id_token
}

function claimsOf(idToken: string): Json {
  const [, claims = ''] = idToken.split('.')
  return parse(Buffer.from(claims, 'base64url'))
}

function parse(body: Uint8Array): Json {
  return JSON.parse(Buffer.from(body).toString())
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

const notThem: Refusal = refuse('provider_refused', 'The provider signed nobody in.', 403)
const notFresh: Refusal = refuse('not_proven', 'The provider did not ask who it is.', 403)
