import type { IncomingMessage } from 'node:http'
import { allows } from '../../../accounts/access/scopes.ts'
import type { SignedIn } from '../../../accounts/account.ts'
import { publicId } from '../../../lib/public-id.ts'
import { type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Route } from '../route/route.ts'

/** How callers prove who they are. */
export interface Credentials {
  /** The owner of an API token, or why it is refused. */
  byToken(token: string): Promise<SignedIn | Refusal>
  /** The owner of a session; undefined if there is no such session any more. */
  bySession(value: string): Promise<SignedIn | undefined>
  /** Does work in the name of a caller, if there is one, from an address, for those who hear of it. */
  act<T>(caller: SignedIn | undefined, work: () => T, address?: string): T
  /** Name of the session's cookie. */
  readonly cookie: string
  /** Origins of our own pages, such as `https://go.example.com`. */
  readonly origins: readonly string[]
}

/** Finds out who calls a route: the caller, undefined where anyone may call, or a refusal (401, 403). */
export type Identify = (
  req: IncomingMessage,
  route: Pick<Route, 'scope'>,
) => Promise<SignedIn | undefined | Refusal>

/** Checks credentials; a Bearer token (RFC 6750) goes before the session cookie. `onLack` hears of callers without the scope. */
export function createIdentify(
  credentials: Credentials,
  onLack?: (req: IncomingMessage, caller: SignedIn, needed: string) => Promise<void>,
): Identify {
  async function withScope(req: IncomingMessage, caller: SignedIn | Refusal, needed: string) {
    const lacking = 'kind' in caller ? undefined : lackOf(caller, needed)
    if ('kind' in caller || !lacking) return caller
    await onLack?.(req, caller, needed)
    return lacking
  }

  return async (req, route) => {
    const token = bearerToken(req)
    if (token !== undefined) {
      if (route.scope === 'anyone') return undefined
      return withScope(req, await credentials.byToken(token), route.scope)
    }
    const session = readCookie(req, credentials.cookie)
    if (session !== undefined && !isFrom(req, credentials.origins)) return crossSite
    if (route.scope === 'anyone') return undefined
    const caller = session === undefined ? undefined : await credentials.bySession(session)
    if (!caller || !isMeant(req, caller)) return unauthenticated
    return withScope(req, caller, route.scope)
  }
}

/** The value of a cookie; undefined when the request has none of that name. */
export function readCookie(req: IncomingMessage, name: string): string | undefined {
  return cookieIn(req.headers.cookie ?? '', name)
}

/** The value of a cookie in the header `Cookie`. */
export function cookieIn(header: string, name: string): string | undefined {
  const pairs = header.split(';').map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

const unauthenticated = refuse(
  'unauthenticated',
  'Send an API token as `Authorization: Bearer <token>`.',
  401,
)
const crossSite = refuse(
  'cross_site_request',
  'Changes with the session cookie must come from a page of this site. If this one did, LINNET_BASE_URL is not its address.',
  403,
)

/** The text after `Bearer`, maybe empty; undefined when another scheme, or none, is used. */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  const credential = /^bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? '')
  return credential ? (credential[1] ?? '') : undefined
}

/** Browsers say where a request comes from. A change is refused if that is not one of our pages, or is not said. */
function isFrom({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && origins.includes(headers.origin)
}

/** A page that was opened by one account must not act as another that has signed in since: its requests name their account. */
function isMeant({ headers }: IncomingMessage, { accountId }: SignedIn): boolean {
  const meant = headers['linnet-account']
  return meant === undefined || meant === publicId('acc', accountId)
}

function lackOf(caller: SignedIn, needed: string): Refusal | undefined {
  if (needed === 'admin' && !caller.isAdmin) return lacks(needed, 'Only admins may do this.')
  if (allows(caller.scopes, needed)) return undefined
  return lacks(needed, `This needs the scope "${needed}".`)
}

/** The refusal for a caller without a scope. */
export function lacks(scope: string, detail: string): Refusal {
  return refuse('insufficient_scope', detail, 403, undefined, { requiredScope: scope })
}
