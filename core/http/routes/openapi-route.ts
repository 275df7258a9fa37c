import { z } from 'zod'
import { type OpenApiOptions, openApiDocument } from '../api/openapi.ts'
import { type Route, route } from '../api/route.ts'

/** `GET /openapi.json` for anyone: describes the routes given, and itself. */
export function openApiRoute(others: readonly Route[], options: OpenApiOptions): Route {
  let document: object | undefined
  const self: Route = route({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi.show',
    group: 'Description',
    summary: 'This description of the API.',
    scope: 'anyone',
    answer: z.record(z.string(), z.unknown()),
    status: 200,
    handle() {
      document ??= openApiDocument([...others, self], options)
      return { body: document }
    },
  })
  return self
}
