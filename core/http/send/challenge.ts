import type { Refusal } from '../../plugin/outcomes.ts'

/** The `WWW-Authenticate` header that goes with a refusal: RFC 6750, section 3. */
export function challengeOf({ code, status, details }: Refusal): string | undefined {
  if (code === 'insufficient_scope') {
    return `Bearer realm="Linnet", error="insufficient_scope", scope="${details?.requiredScope}"`
  }
  if (status !== 401) return undefined
  return code === 'invalid_token'
    ? 'Bearer realm="Linnet", error="invalid_token"'
    : 'Bearer realm="Linnet"'
}
