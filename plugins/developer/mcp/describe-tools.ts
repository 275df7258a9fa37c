import { type ApiTool, isRefusal, type MountRequest, type Refusal } from '../../../core/plugin.ts'

type Schema = Readonly<Record<string, unknown>>

/** An operation of the API as a tool, https://modelcontextprotocol.io/specification/2026-07-28/server/tools. */
export interface OfferedTool {
  readonly of: ApiTool
  readonly shown: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: Schema & { readonly type: 'object' }
    readonly annotations: Readonly<Record<string, boolean>>
  }
}

/** The tools that there are, by the list of operations, which stays the same until a plugin is switched. */
const described = new WeakMap<readonly ApiTool[], readonly OfferedTool[]>()

export function describeTools(all: readonly ApiTool[]) {
  const tools = described.get(all) ?? all.map(describe)
  described.set(all, tools)
  return {
    /** Those that the token of a request may call, in their order, or why it is no token. */
    async offered({
      caller,
    }: Pick<MountRequest, 'caller'>): Promise<readonly OfferedTool[] | Refusal> {
      const open = new Set<string>()
      for (const scope of new Set(all.map(it => it.scope))) {
        const found = await caller(scope)
        if (!isRefusal(found)) open.add(scope)
        else if (found.status !== 403) return found
      }
      return tools.filter(({ of }) => open.has(of.scope))
    },
  }
}

function describe(of: ApiTool): OfferedTool {
  const { name, summary, about, method } = of
  return {
    of,
    shown: {
      // Some clients take no other characters.
      name: name.replaceAll('.', '_'),
      title: summary,
      description: method === 'DELETE' ? `${about} ${howToDelete}` : about,
      inputSchema: argumentsOf(of),
      annotations: {
        readOnlyHint: method === 'GET',
        destructiveHint: method === 'PATCH' || method === 'DELETE',
        idempotentHint: method !== 'POST',
        openWorldHint: false,
      },
    },
  }
}

const howToDelete =
  'The first call deletes nothing: it answers what would be deleted, and `confirm`. Show that to the user, and call again with `confirm` if they agree.'

/** One object of everything that an operation takes. */
function argumentsOf({ method, path, query, body, definitions, tries }: ApiTool) {
  const text = (description: string) => ({ type: 'string', description })
  const params = paramsOf(path)
  const names = Object.fromEntries(
    params.map(name => [name, text(`The \`${name}\` in \`${path}\`.`)]),
  )
  const properties = {
    ...propertiesOf(query),
    ...propertiesOf(body),
    ...names,
    ...(method === 'DELETE' && { confirm: text('From the answer to the same call without it.') }),
    ...(tries && method !== 'GET' && method !== 'DELETE' && { dry_run: dryRun }),
  }
  const required = [...params, ...requiredOf(query), ...requiredOf(body)]
  return short({
    type: 'object' as const,
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  })
}

const dryRun = {
  type: 'boolean',
  description: 'True: only try it. The answer is as it would be, and nothing changes.',
}

/** The parameters in a path: `id` of `/links/:id`. */
export function paramsOf(path: string): readonly string[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name)
}

function propertiesOf(schema: Schema | undefined): Schema {
  return (schema?.properties ?? {}) as Schema
}

function requiredOf(schema: Schema | undefined): readonly string[] {
  return (schema?.required ?? []) as readonly string[]
}

/** A schema without what only the API can check, and what models have no use for: they read all of it each time. */
function short<T>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (unread(name, value) ? undefined : withNull(value))),
  )
}

const unreadNames = ['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** Not so if it is a field that has this name. */
function unread(name: string, value: unknown): boolean {
  const isBound = unreadNames.includes(name) && typeof value !== 'object'
  return isBound || (name === 'format' && value === 'iri') || (name === 'default' && value === null)
}

/** `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` is `{ type: ['string', 'null'] }`. */
function withNull(value: unknown): unknown {
  const { anyOf, ...others } = Object(value) as { readonly anyOf?: readonly Schema[] }
  const [one, none, ...more] = Array.isArray(anyOf) ? (anyOf as readonly Schema[]) : []
  const isSimple = more.length === 0 && none?.type === 'null' && typeof one?.type === 'string'
  if (!isSimple || one.enum !== undefined || one.const !== undefined) return value
  return { ...one, ...others, type: [one.type, 'null'] }
}
