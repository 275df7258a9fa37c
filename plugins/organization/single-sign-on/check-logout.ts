import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { type EndedThere, z } from '../../../core/plugin.ts'
import { clocksApart, discover, fetchWith, type OwnContext } from './reach-provider.ts'

/** How old a logout token may be, in seconds. Providers send it at once. */
const maxAge = 600
/** For longer than a token counts: its age, and the clocks that differ. */
export const tokenLifeMs = (maxAge + 3 * clocksApart) * 1_000

const event = 'http://schemas.openid.net/event/backchannel-logout'
const word = z.string().min(1).max(500)

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. With a nonce it would be an ID token. */
const claimsSchema = z
  .object({
    ...{ jti: z.string().min(1), sub: word.optional(), sid: word.optional() },
    ...{ events: z.object({ [event]: z.object({}) }), nonce: z.never().optional() },
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** A logout token as it is called, and what ended by it. */
interface Logout {
  readonly id: string
  readonly ended: EndedThere
}

/** What a logout token says, once all is checked that makes it true. Throws why it is not. */
export async function checkLogout(token: string, context: OwnContext): Promise<Logout> {
  const metadata = await discover(context)
  const { payload, protectedHeader } = await jwtVerify(token, findKey(metadata, context), {
    ...{ issuer: metadata.issuer, audience: context.settings.clientId ?? '' },
    ...{ clockTolerance: clocksApart, maxTokenAge: maxAge, currentDate: context.now() },
    requiredClaims: ['exp'],
  })
  const { typ = 'JWT' } = protectedHeader
  if (!/^((application\/)?logout\+jwt|jwt)$/i.test(typ)) throw new Error('it is of another type')
  const { data } = claimsSchema.safeParse(payload)
  if (!data) throw new Error('it is no logout token')
  const { jti: id, sub, sid } = data
  return {
    id,
    ended: {
      issuer: metadata.issuer,
      ...(sub !== undefined && { subject: sub }),
      ...(sid !== undefined && { session: sid }),
    },
  }
}

/** Anybody may send a token, so the keys are not read for each: at most twice a minute, and every ten minutes. */
function findKey({ issuer, jwks_uri: url = '' }: ServerMetadata, context: OwnContext) {
  const { state } = context
  if (state.keys?.url !== url) {
    if (issuer.startsWith('https:') && !url.startsWith('https:'))
      throw new Error(`${url} has no TLS`)
    const read = fetchWith(context)
    const find = createRemoteJWKSet(new URL(url), {
      [customFetch]: (from, { headers, signal, ...options }) =>
        read(from, { ...options, headers: Object.fromEntries(headers), body: null, signal }),
    })
    state.keys = { url, find }
  }
  return state.keys.find
}
