import { sessionMs } from '../../../accounts/access/sessions.ts'

/** The cookie that holds a session: no script reads it and no other site sends it along. */
export interface SessionCookie {
  /** With `__Host-`, browsers accept it over https only, for exactly this host and all its paths. */
  readonly name: string
  /** The `Set-Cookie` that keeps a session as long as it can last; the server ends an idle one sooner. */
  keep(session: string): string
  /** The `Set-Cookie` that deletes it. */
  readonly drop: string
}

/** `secure`: whether browsers reach this instance over https. */
export function createSessionCookie({ secure }: { readonly secure: boolean }): SessionCookie {
  const name = secure ? '__Host-linnet' : 'linnet'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    name,
    keep: session => `${name}=${session}; Max-Age=${sessionMs / 1_000}; ${attributes}`,
    drop: `${name}=; Max-Age=0; ${attributes}`,
  }
}
