import { allows } from './scopes.ts'

const examples = [
  ['links:read', '/links'],
  ['profile:read', '/profile'],
  ['tags:read', '/tags'],
  ['campaigns:read', '/campaigns'],
  ['domains:read', '/domains'],
  ['analytics:read', '/analytics'],
  ['api-tokens:read', '/api-tokens'],
  ['plugins:read', '/plugins'],
  ['admin', '/admin/accounts'],
] as const

/** A command that works with a token of these scopes and changes nothing. */
export function readCommand(token: string, scopes: readonly string[]): string {
  const path = examples.find(([scope]) => allows(scopes, scope))?.[1] ?? '/links'
  return `curl ${apiUrl(path)} \\\n  -H 'Authorization: Bearer ${token}'`
}

function apiUrl(path: string): string {
  return `${window.location.origin}/api/v1${path}`
}
