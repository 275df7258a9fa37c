import { z } from 'zod'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import type { JsonSchema } from '../../../lib/schema/json-schema.ts'
import type { Contract } from '../../../settings/contract.ts'
import { problemSchema } from '../../send/problem.ts'
import { type PreparedJson, prepareJson } from '../prepared-json.ts'
import { type Route, route } from '../route/route.ts'
import { headers } from './openapi-headers.ts'
import {
  type DescribedOperation,
  describeOperation,
  describeSchemas,
  type Parameter,
} from './openapi-operation.ts'
import { problemResponses } from './openapi-problems.ts'
import { describeSchema } from './openapi-schema.ts'
import { nameThings } from './openapi-things.ts'

/** Descriptions of groups. Plugins describe their own groups. */
const abouts: Readonly<Record<string, string>> = {
  Profile: 'Your account: its plan, usage, name and password.',
  Links: 'Short links: create, find, change and delete them, one by one or many at once.',
  Analytics: 'Visits and visitors of links, as totals. Linnet identifies no visitor.',
  Admin: 'Administration: accounts, plans, global switches, brand, plugins, jobs and backups.',
  Session: 'First setup, signing in and out, and the list of sessions.',
  Plugins: 'The features of this instance, and which of them are on.',
  Languages: 'The languages that plugins bring for the dashboard and visitors.',
  Health: 'Whether the instance works.',
  Description: 'This description.',
}

export interface OpenApiOptions {
  readonly base: string
  /** Name of the session cookie. */
  readonly cookie?: string
  /** Groups that come before all others, in their order. */
  readonly groups?: readonly string[]
  /** All scopes that a token can have. */
  readonly scopes?: readonly string[]
  /** The problems that operations can answer with. */
  readonly problems?: Contract['problems']
}

/**
 * The OpenAPI 3.1 document of routes that are served below `base`. It is made from the same schemas that check
 * requests, so it says exactly what happens. That takes half a second, with turns for redirects between its parts.
 */
export async function openApiDocument(
  routes: readonly Route[],
  { base, cookie = 'linnet', groups: first = [], scopes = [], problems = {} }: OpenApiOptions,
): Promise<object> {
  await inTurns(routes, describeSchemas)
  const things = nameThings(routes)
  const { operations, parameters } = shareParameters(
    await inTurns(routes, route => describeOperation(route, things)),
  )
  const groups = [...new Set([...first, ...routes.map(route => route.group)])]
  const paths = [...new Set(routes.map(route => route.path))]
  const named: Named = Object.assign(
    Object.fromEntries(things),
    ...[describeSchema(problemSchema, 'answer', 'snake'), ...operations].map(it => it.named),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linnet',
      version: '1.0.0',
      description:
        'Short links and their analytics. The API can do everything that the dashboard can. Requests may write each field in snake_case or camelCase.',
      contact: { name: 'The admin of this instance' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: groups.flatMap(name => {
      const [first] = routes.filter(({ group }) => group === name)
      return first ? [{ name, description: abouts[name] ?? first.groupAbout ?? name }] : []
    }),
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
      schemas: withScopes(named, scopes),
      responses: problemResponses(problems),
      headers,
      parameters,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, as `Authorization: Bearer <token>`. Each operation names the scope that its token needs. `*` includes all scopes, and `write` includes `read`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookie,
          description:
            'The session of a browser that is signed in. It allows everything that a token with `*` allows. Changes must come from a page of this instance.',
        },
      },
    },
  }
}

/** Redirects wait no longer than this, in milliseconds. Shorter turns would be many, and those of the API come one by one. */
const turnMs = 15

async function inTurns<T>(routes: readonly Route[], work: (route: Route) => T): Promise<T[]> {
  const done: T[] = []
  let until = 0
  for (const route of routes) {
    if (performance.now() >= until) {
      await yieldToRedirects()
      until = performance.now() + turnMs
    }
    done.push(work(route))
  }
  return done
}

/** Parameters that are the same in several operations are described once. */
function shareParameters(all: readonly DescribedOperation[]) {
  const parameters: Record<string, object> = {}
  const uses = Map.groupBy(
    all.flatMap(({ operation }) => operation.parameters),
    it => JSON.stringify(it),
  )
  const shared = (it: Parameter): object => {
    const name = it.name.replace(/(?:^|[^A-Za-z])(.)/g, (_, letter: string) => letter.toUpperCase())
    const isShared = it.in !== 'path' && (uses.get(JSON.stringify(it))?.length ?? 0) > 1
    if (!isShared) return it
    parameters[name] ??= it
    if (JSON.stringify(parameters[name]) !== JSON.stringify(it)) return it
    return { $ref: `#/components/parameters/${name}` }
  }
  const operations = all.map(it => ({
    ...it,
    operation: { ...it.operation, parameters: it.operation.parameters.map(shared) },
  }))
  return { operations, parameters }
}

type Named = Readonly<Record<string, JsonSchema>>

/** Only all plugins together tell which scopes there are. The schema of a plugin has only the name `Scope`. */
function withScopes(named: Named, scopes: readonly string[]): Named {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) =>
      name === 'Scope' || name === 'ScopeInput'
        ? [name, { ...schema, enum: [...scopes] }]
        : [name, schema],
    ),
  )
}

const documentSchema = z.record(z.string(), z.unknown())

/** `GET /openapi.json` for anyone: describes the routes given, and itself. */
export function openApiRoute(others: readonly Route[], options: OpenApiOptions): Route {
  let prepared: Promise<PreparedJson> | undefined
  const self: Route = route('GET /openapi.json', {
    name: 'openapi.show',
    group: 'Description',
    summary: 'This description of the API.',
    scope: 'anyone',
    answer: documentSchema,
    isVersioned: true,
    async handle({ acceptEncoding }) {
      prepared ??= prepare()
      return (await prepared)(acceptEncoding)
    },
  })
  async function prepare(): Promise<PreparedJson> {
    const document = await openApiDocument([...others, self], options)
    await yieldToRedirects()
    return prepareJson(document)
  }
  return self
}
