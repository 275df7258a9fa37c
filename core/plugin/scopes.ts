import { z } from 'zod'

/** A scope of an API token; OpenAPI lists those there are. Which may be granted is looked up by who grants it. */
export const scopeSchema = z.string().max(50).meta({ id: 'Scope' })
