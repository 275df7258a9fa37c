import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Caller, Plugin } from '../../plugin.ts'

/** The scopes that exist whichever plugins run. */
const always = [
  '*',
  'profile:read',
  'links:read',
  'links:write',
  'analytics:read',
  'analytics:write',
  'plugins:read',
  'plugins:write',
]

/** Scopes that a browser left open must not give, nor a key that was made elsewhere: everything, and what admins do. */
export const strong: readonly string[] = ['*', 'admin']

/** All scopes that a token can have with these plugins. */
export function scopesOf(plugins: readonly Pick<Plugin, 'scopes'>[]): readonly string[] {
  return [...new Set([...always, ...plugins.flatMap(({ scopes = [] }) => scopes), 'admin'])]
}

/**
 * Whether the granted scopes cover the needed one: `*` covers everything, and write covers read. For `admin`
 * the account must also be an admin at each call, which is checked where the route is known, and below. So an
 * admin who steps back takes this power from all tokens at once.
 */
export function allows(granted: readonly string[], needed: string): boolean {
  return granted.some(
    scope => scope === '*' || scope === needed || scope === needed.replace(/:read$/, ':write'),
  )
}

/** Refuses to grant a scope that is not among the `known`, or that the maker does not have. */
export function checkGrant(
  maker: Caller,
  wanted: readonly string[],
  known: readonly string[],
): Refusal | undefined {
  const unknown = checkKnown(wanted, known)
  if (unknown) return unknown
  const missing = wanted.find(scope => !permits(maker, scope))
  if (missing === undefined) return undefined
  return refuse(
    'insufficient_scope',
    `You cannot grant more than you may do yourself: you lack ${missing}.`,
    403,
    'scopes',
    { requiredScope: missing },
  )
}

/** Refuses scopes that are not among the `known`. */
export function checkKnown(
  wanted: readonly string[],
  known: readonly string[],
): Refusal | undefined {
  const unknown = wanted.find(scope => !known.includes(scope))
  if (unknown === undefined) return undefined
  const detail = `${unknown} is not a scope. The scopes are ${known.join(', ')}.`
  return refuse('validation_failed', detail, 422, 'scopes')
}

function permits(caller: Caller, needed: string): boolean {
  return allows(caller.scopes, needed) && (needed !== 'admin' || caller.isAdmin)
}

/** Refuses to change a credential that allows more than the caller may do. */
export function checkCovers(caller: Caller, scopes: readonly string[]): Refusal | undefined {
  const missing = scopes.find(scope => !allows(caller.scopes, scope))
  if (missing === undefined) return undefined
  const detail = `This token allows more than you may do yourself: you lack ${missing}.`
  return refuse('insufficient_scope', detail, 403, undefined, { requiredScope: missing })
}

/** Refuses what could give a caller access to everything, unless the caller has it already. */
export function needsEverything(caller: Caller): Refusal | undefined {
  if (allows(caller.scopes, '*')) return undefined
  const detail = 'This could give access to everything, so it needs a session or the scope "*".'
  return refuse('insufficient_scope', detail, 403, undefined, { requiredScope: '*' })
}
