import { z } from 'zod'

const resources = [
  'links',
  'tags',
  'campaigns',
  'domains',
  'analytics',
  'api-tokens',
  'plugins',
] as const

/** Everything a token can be allowed. */
export const scopes: readonly string[] = [
  '*',
  'profile:read',
  ...resources.flatMap(resource => [`${resource}:read`, `${resource}:write`]),
  'admin',
]

/** A scope as OpenAPI lists it. Which of them may be granted is looked up by who grants it. */
export const scopeSchema = z.string().max(50).meta({ enum: scopes })
