import { z } from 'zod'

/**
 * A scope of an API token; OpenAPI lists those there are. Which may be granted is looked up by who grants it.
 *
 * @example
 * body: z.strictObject({ scopes: z.array(scopeSchema) })
 */
export const scopeSchema = z.string().max(50).meta({ id: 'Scope' })
