import { useSuspenseQuery } from '@tanstack/react-query'
import { manifestQuery } from '../../api/manifest.ts'
import { profileQuery } from '../../api/profile.ts'
import { tokensTexts } from '../../texts/tokens.ts'

export type Resource = keyof typeof tokensTexts.resources

/** The plugin that a resource comes with; the others are always there. */
const features: Readonly<Partial<Record<Resource, string>>> = {
  tags: 'organization.tags',
  campaigns: 'organization.campaigns',
  domains: 'organization.customDomains',
}

/** What this account can allow a token, of what is installed. */
export function useGrantable() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const isInstalled = (feature: string | undefined) =>
    feature === undefined || plugins.some(it => it.feature === feature)
  const resources = Object.keys(tokensTexts.resources) as Resource[]
  return {
    isAdmin: profile.isAdmin,
    resources: resources.filter(resource => isInstalled(features[resource])),
  }
}

/** Whether there is anything to write: numbers and plugins are only read. */
export function hasWrites(resource: Resource): boolean {
  return resource !== 'analytics' && resource !== 'plugins'
}

/** Whether scopes allow something: `*` is everything, write includes read. */
export function allows(scopes: readonly string[], needed: string): boolean {
  return [needed, needed.replace(/:read$/, ':write'), '*'].some(scope => scopes.includes(scope))
}

/** With or without a scope; what it includes need not be said beside it. */
export function toggle(scopes: readonly string[], scope: string): readonly string[] {
  if (scopes.includes(scope)) return scopes.filter(it => it !== scope)
  const included = scope.replace(/:write$/, ':read')
  return [...scopes.filter(it => it !== included), scope]
}

/** Scopes in words, as `Links: write`, for a list. */
export function describeScope(scope: string): string {
  const { everything, profile, admin, resources, read, write } = tokensTexts
  if (scope === '*') return everything
  if (scope === 'profile:read') return profile
  if (scope === 'admin') return admin
  const [resource = '', power] = scope.split(':')
  const name = Object.entries(resources).find(([key]) => key === resource)?.[1] ?? resource
  return `${name}: ${(power === 'write' ? write : read).toLowerCase()}`
}
