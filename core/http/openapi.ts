import { describeOperation } from './openapi-operation.ts'
import { problemResponses } from './openapi-problems.ts'
import { describeSchema } from './openapi-schema.ts'
import { problemSchema } from './problem.ts'
import type { Route } from './route.ts'

/** Groups in the contract's order; those it does not know come after. */
const knownGroups = ['Profile', 'Tags', 'Campaigns', 'Links', 'Analytics', 'Api Tokens']

/**
 * The OpenAPI 3.1 document of routes that are served below `base`: made from the very schemas that check
 * requests, so it cannot say anything else than what happens.
 */
export function openApiDocument(routes: readonly Route[], base: string): object {
  const operations = routes.map(describeOperation)
  const groups = [...new Set([...knownGroups, ...routes.map(route => route.group)])]
  const paths = [...new Set(routes.map(route => route.path))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linnet',
      version: '1.0.0',
      description:
        'Short links, and what became of them. Everything the dashboard does, this does.',
    },
    servers: [{ url: '/' }],
    tags: groups
      .filter(group => routes.some(route => route.group === group))
      .map(name => ({ name })),
    paths: Object.fromEntries(
      paths.map(path => [
        base + path.replace(/:([^/]+)/g, '{$1}'),
        Object.fromEntries(
          operations
            .filter(({ route }) => route.path === path)
            .map(({ route, operation }) => [route.method.toLowerCase(), operation]),
        ),
      ]),
    ),
    components: {
      schemas: Object.assign(
        {},
        ...[describeSchema(problemSchema, 'answer', 'snake'), ...operations].map(it => it.named),
      ),
      responses: problemResponses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, as `Authorization: Bearer <token>`. Each operation names the scope that its token needs; `*` has them all, and `write` has `read`.',
        },
      },
    },
  }
}
