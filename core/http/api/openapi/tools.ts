import type { JsonSchema } from '../../../lib/schema/json-schema.ts'
import type { ApiTool, Method } from '../../../plugin.ts'
import type { Route } from '../route/route.ts'
import { type DescribedSchema, describeSchema } from './openapi-schema.ts'

/**
 * The routes that are tools, in their order. What goes in is described in snake_case only: models that are told of two
 * spellings of a field send both.
 */
export function toolsOf(routes: readonly Route[]): readonly ApiTool[] {
  return routes.flatMap(route => {
    const { name, summary, tool: about, method, path, scope, tries = false } = route
    if (about === undefined) return []
    const query = described(route.describedQuery ?? route.query)
    const body = described(route.describedBody ?? route.body)
    const definitions = inDefinitions({ ...query?.named, ...body?.named })
    return {
      ...{ name, summary, about, method: method as Method, path, scope, tries, definitions },
      query: query && inDefinitions(query.schema),
      body: body && inDefinitions(body.schema),
    }
  })
}

/** A body like a query: with one name for each field. */
function described(schema: Route['body']): DescribedSchema | undefined {
  return schema && describeSchema(schema, 'query', 'snake')
}

/** The same with references into itself, since it leaves the document. */
function inDefinitions<T extends JsonSchema | DescribedSchema['named']>(it: T): T {
  return JSON.parse(JSON.stringify(it).replaceAll('"#/components/schemas/', '"#/$defs/')) as T
}
