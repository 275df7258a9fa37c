import { useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { manifestQuery } from '../../api/instance/manifest.ts'
import { tokensTexts } from '../../texts/tokens.ts'

/** Something that a token can read or write, such as `links`. */
export interface Resource {
  readonly key: string
  readonly name: string
  /** False for what can only be read, such as analytics and plugins. */
  readonly hasWrites: boolean
}

/** The scopes that exist whatever plugins are installed. */
const always = ['links:write', 'analytics:read', 'plugins:read']

/** The scopes that this account can grant a token. */
export function useGrantable() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const scopes = [...always, ...plugins.flatMap(plugin => plugin.scopes)]
  const keys = new Set(scopes.map(resourceOf))
  // Those that we have labels for come first, in the order of the labels.
  const known = Object.keys(tokensTexts.resources).filter(key => keys.has(key))
  return {
    isAdmin: profile.isAdmin,
    resources: [...new Set([...known, ...keys])].map(
      (key): Resource => ({
        key,
        name: nameOf(key),
        hasWrites: scopes.includes(`${key}:write`),
      }),
    ),
  }
}

function resourceOf(scope: string): string {
  return scope.replace(/:.*/, '')
}

/** Our own label, or `Office hours` from `office-hours`. */
function nameOf(resource: string): string {
  const [, ours] = Object.entries(tokensTexts.resources).find(([key]) => key === resource) ?? []
  return ours ?? resource.replace(/^./, first => first.toUpperCase()).replaceAll('-', ' ')
}

/** Whether scopes include another: `*` is everything, and write includes read. */
export function allows(scopes: readonly string[], needed: string): boolean {
  return [needed, needed.replace(/:read$/, ':write'), '*'].some(scope => scopes.includes(scope))
}

/** Adds or removes a scope. Adding one drops the scope that it includes. */
export function toggle(scopes: readonly string[], scope: string): readonly string[] {
  if (scopes.includes(scope)) return scopes.filter(it => it !== scope)
  const included = scope.replace(/:write$/, ':read')
  return [...scopes.filter(it => it !== included), scope]
}

/** A scope in words, such as `Links: write`, for a list. */
export function describeScope(scope: string): string {
  const { everything, profile, admin, read, write } = tokensTexts
  if (scope === '*') return everything
  if (scope === 'profile:read') return profile
  if (scope === 'admin') return admin
  const power = scope.endsWith(':write') ? write : read
  return `${nameOf(resourceOf(scope))}: ${power.toLowerCase()}`
}
