import type { RemoteJWKSet } from 'jose'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'
import { type Context, z } from '../../../core/plugin.ts'
import type { settings } from './settings.ts'
import type { Tables } from './used-logouts.ts'

/** What the provider said of itself, and when, when it was last asked, and its keys for what it sends by itself. */
export interface State {
  metadata: ServerMetadata | undefined
  readAt: number
  asked: { readonly at: number; readonly answer: Promise<ServerMetadata> } | undefined
  keys: { readonly url: string; readonly find: RemoteJWKSet } | undefined
}

export type OwnContext = Context<typeof settings, State, Tables>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** For how long all who ask for what is not known get the same answer, also when that failed. */
const sharedMs = 10_000
/** How far apart the clocks of the provider and of this server may be, in seconds. */
export const clocksApart = 300
const maxBytes = 512 * 1024

/** OpenID Connect Discovery 1.0, section 3. What else is in it is for the library. */
const metadataSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
  })
  .catchall(z.json())

/** A client of the provider for one request. Each reads the keys anew, so that new ones are known at once. */
export async function clientOf(context: OwnContext): Promise<Configuration> {
  const metadata = await discover(context)
  const { issuer = '', clientId = '', clientSecret } = context.settings
  const client = new Configuration(
    metadata,
    clientId,
    { [clockTolerance]: clocksApart },
    authenticate(metadata, clientSecret),
  )
  client[customFetch] = fetchWith(context)
  enableNonRepudiationChecks(client)
  if (issuer.startsWith('http:')) allowInsecureRequests(client)
  return client
}

/** By the header where the provider takes that, as it does if it says nothing. */
function authenticate(
  { token_endpoint_auth_methods_supported: ways }: ServerMetadata,
  secret = '',
) {
  if (secret === '') return None()
  const takesHeader = ways?.includes('client_secret_basic') ?? true
  return takesHeader ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/**
 * Read when it is needed, so that a provider that is down keeps nothing else from starting, and then kept for an hour; a day
 * while it cannot be read again. Anybody may ask, so one that is down is asked every ten seconds at most.
 */
export async function discover(context: OwnContext): Promise<ServerMetadata> {
  const { state, now, log } = context
  const at = now().getTime()
  const age = at - state.readAt
  if (state.metadata && age >= 0 && age < hourMs) return state.metadata
  if (!state.asked || Math.abs(at - state.asked.at) >= sharedMs) {
    state.asked = { at, answer: readMetadata(context) }
  }
  try {
    const metadata = await state.asked.answer
    Object.assign(state, { metadata, readAt: now().getTime() })
    return metadata
  } catch (error) {
    if (!state.metadata || Math.abs(age) > dayMs) throw error
    const why = error instanceof Error ? error.message : String(error)
    log.warn('The provider does not say anew where to sign in', { why })
    return state.metadata
  }
}

async function readMetadata({
  settings: { issuer = '' },
  fetch,
}: OwnContext): Promise<ServerMetadata> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`
  const { status, body } = await fetch(url, { toOwnNetwork: true, maxBytes })
  if (status !== 200) throw new Error(`${url} answers ${status}: is the issuer right?`)
  const { data, error } = metadataSchema.safeParse(parse(body))
  if (!data) {
    const [missing = ''] = error.issues[0]?.path ?? []
    throw new Error(`${url} is not what a provider says of itself: ${String(missing)} is missing`)
  }
  // Another issuer could name itself as it likes: section 4.3. A slash at the end is easily forgotten.
  if (withoutSlash(data.issuer) !== withoutSlash(issuer)) {
    throw new Error(`The provider calls itself ${data.issuer}: enter that as the issuer`)
  }
  return data
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** The library asks by what plugins ask with: within bounds, and only where they may connect to. */
export function fetchWith({ fetch }: OwnContext): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await fetch(url, {
      ...{ method: method === 'POST' ? 'POST' : 'GET', redirect: 'manual' },
      ...{ headers, toOwnNetwork: true, maxBytes },
      ...(body && { body: String(body) }),
      ...(signal && { signal }),
    })
    if (!answer.isWhole) throw new Error(`${new URL(url).host} answers with too much`)
    return new Response(Buffer.from(answer.body), {
      status: answer.status,
      headers: answer.headers,
    })
  }
}
