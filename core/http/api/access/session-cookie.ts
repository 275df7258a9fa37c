import { sessionMs } from '../../../accounts/access/sessions.ts'

/** The cookie that holds a session: no script reads it and no other site sends it along. */
export interface SessionCookie {
  /** With `__Host-` browsers take it over https only, for this very host and all its paths. */
  readonly name: string
  /** `Set-Cookie` that keeps a session as long as it can last; the server ends it sooner when idle. */
  keep(session: string): string
  /** `Set-Cookie` that takes it away. */
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
