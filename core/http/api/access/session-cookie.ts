import { sessionMs } from '../../../accounts/access/sessions/sessions.ts'

/** The cookie that holds a session: no script reads it and no other site sends it along. */
export interface SessionCookie {
  /** With `__Host-`, browsers accept it over https only, for exactly this host and all its paths. */
  readonly name: string
  /** The `Set-Cookie` that keeps a session as long as it can last; the server ends an idle one sooner. */
  keep(session: string): string
  /** The `Set-Cookie` that deletes it. */
  readonly drop: string
}

/** The cookie of a browser that is away at a provider to sign in: it comes back from there by a link, so it is `Lax`. */
export interface AwayCookie {
  readonly name: string
  /** The `Set-Cookie` that keeps a ticket for `seconds`. */
  keep(ticket: string, seconds: number): string
  readonly drop: string
}

/** `secure`: whether browsers reach this instance over https. */
export function createSessionCookie(where: Where): SessionCookie {
  const { keep, ...cookie } = createCookie('linnet', where)
  return { ...cookie, keep: session => keep(session, sessionMs / 1_000) }
}

/** `secure`: as for the session. */
export function createAwayCookie(where: Where): AwayCookie {
  return createCookie('linnet-away', where)
}

interface Where {
  readonly secure: boolean
}

function createCookie(plainName: string, { secure }: Where): AwayCookie {
  const name = secure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    name,
    keep: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    drop: `${name}=; Max-Age=0; ${attributes}`,
  }
}
