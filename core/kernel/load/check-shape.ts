import { z } from 'zod'
import { meant } from '../../lib/text/nearest-name.ts'
import type { Command } from '../../plugin/commands/command.ts'
import type { Dimension } from '../../plugin/dimension.ts'
import type { Endpoint } from '../../plugin/endpoint.ts'
import type { Computed, Filter, Group, Status } from '../../plugin/listed-links.ts'
import type { BodyKind, Mount, MountMethod, Site } from '../../plugin/mount.ts'
import type { Provider } from '../../plugin/sign-in/provider.ts'
import type { Step } from '../../plugin/sign-in/step.ts'
import type { PlaceFact } from '../../plugin/visit.ts'
import type { Events, Job, Limit, Listeners, Plugin, UnstableParts } from '../../plugin.ts'
import { shapeOfDashboard } from './dashboard-shape.ts'
import { kindPattern } from './names.ts'

/**
 * What a part has to be: a kind, an object with these members, an object with any names of such parts, a list of such parts,
 * or one of these words, which may be left out.
 */
type Shape =
  | Kind
  | { readonly of: Members }
  | { readonly each: Shape }
  | { readonly list: Shape }
  | { readonly oneOf: readonly string[] }
type Kind = keyof typeof kinds
type Members = Readonly<Record<string, Shape>>

const charts = ['bar', 'map', 'line', 'table', 'number'] satisfies readonly Dimension['chart'][]
const facts: readonly string[] = ['place', 'city'] satisfies readonly PlaceFact[]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly MountMethod[]
const bodies = ['form', 'json', 'multipart', 'bytes'] satisfies readonly BodyKind[]
const maxMountBytes = 32 * 1024 * 1024

const some = (words: readonly string[]) => (it: unknown) =>
  it === undefined || (Array.isArray(it) && it.length > 0 && it.every(word => words.includes(word)))

const rate = z.strictObject({ max: z.int().min(1), seconds: z.number().positive() })

/** Each kind with how to tell it, and what to write. One with `?` may be left out. */
const kinds = {
  // Other checks tell more of it.
  'anything?': [() => true, ''],
  function: [isFunction, 'Write a function'],
  'function?': [it => it === undefined || isFunction(it), 'Write a function'],
  text: [it => typeof it === 'string', 'Write a text'],
  'text?': [it => it === undefined || typeof it === 'string', 'Write a text'],
  schemas: [it => isObject(it) && Object.values(it).every(isSchema), 'Write { name: z.string() }'],
  'schema?': [it => it === undefined || isSchema(it), 'Make it with the z of linnet/plugin'],
  'chart?': [
    it => it === undefined || charts.some(chart => chart === it),
    `Write one of ${charts.join(', ')}`,
  ],
  'reads?': [
    it => it === undefined || (Array.isArray(it) && it.every(fact => facts.includes(fact))),
    `Write reads: ['${facts.join("'] or ['")}']`,
  ],
  'status?': [
    it => it === undefined || z.int().min(200).max(299).safeParse(it).success,
    'Write a number from 200 to 299',
  ],
  'media?': [
    it => it === undefined || z.array(z.string()).safeParse(it).success,
    "Write a list, such as ['image/png']",
  ],
  'tells?': [
    it => it === undefined || z.array(z.string().regex(kindPattern)).safeParse(it).success,
    "Write a list, such as ['note']",
  ],
  kinds: [
    it => z.array(z.string().regex(kindPattern)).min(1).safeParse(it).success,
    "Write a list of kinds of things, such as ['link']",
  ],
  'rateLimit?': [
    it => it === undefined || it === 'currentPassword' || rate.safeParse(it).success,
    "Write { max: 10, seconds: 60 } or 'currentPassword'",
  ],
  'seconds?': [
    it => it === undefined || z.number().positive().safeParse(it).success,
    'Write a number of seconds',
  ],
  'methods?': [some(methods), `Write a list of ${methods.join(', ')}`],
  'bodies?': [some(bodies), `Write a list of ${bodies.join(', ')}`],
  'maxBytes?': [
    it => it === undefined || z.int().min(1).max(maxMountBytes).safeParse(it).success,
    `Write a number of bytes up to ${maxMountBytes}`,
  ],
  method: [
    it => typeof it === 'string' && /^[a-z0-9-]{1,20}$/.test(it),
    "Write a word of RFC 8176, such as 'otp'",
  ],
  'hears?': [it => it === undefined || it === 'chosen', "Write hears: 'chosen', or leave it out"],
  'hosts?': [it => it === undefined || it === 'all', "Write hosts: 'all', or leave it out"],
  value: [
    it => it === null || ['string', 'number', 'boolean'].includes(typeof it),
    'Write a text, a number, true, false or null',
  ],
  field: [
    isField,
    'Make it with text({ label: … }), number({ label: … }) or another function of linnet/plugin',
  ],
} satisfies Readonly<Record<string, readonly [(it: unknown) => boolean, string]>>

const functions = { each: 'function' } as const

/** Every part that a plugin can have. The compiler finds what is missing here, or is too much. */
const partsOfPlugin = {
  ...{ api: 'anything?', feature: 'anything?', about: 'anything?', label: 'anything?' },
  ...{ group: 'anything?', translations: 'anything?', needs: 'anything?', before: 'anything?' },
  ...{ after: 'anything?', reads: 'reads?', flag: 'text?' },
  scopes: 'anything?',
  settings: { each: 'field' },
  fields: { each: 'field' },
  migrations: functions,
  setup: 'function?',
  dispose: 'function?',
  prepare: 'function?',
  validate: 'function?',
  save: 'function?',
  computed: {
    of: { schema: 'schemas', of: 'function', atFirst: 'anything?' } satisfies Of<Computed>,
  },
  statuses: {
    each: { of: { label: 'text', rank: 'anything?', links: 'function' } satisfies Of<Status> },
  },
  filter: { of: { query: 'schemas', where: 'function' } satisfies Of<Filter> },
  groups: { each: { of: { summary: 'text', links: 'function' } satisfies Of<Group> } },
  limits: { each: { of: { label: 'text', used: 'text' } satisfies Of<Limit> } },
  usage: functions,
  guard: 'function?',
  target: 'function?',
  views: functions,
  dimensions: {
    each: {
      of: {
        ...{ label: 'text', chart: 'chart?', of: 'function', labelOf: 'function?', none: 'text?' },
        ...{ total: 'anything?', bots: 'anything?', distinct: 'anything?' },
        unstable: { of: { data: { of: { file: 'anything?', open: 'function' } } } },
      } satisfies Of<Dimension>,
    },
  },
  on: {
    of: {
      ...{ created: 'function?', updated: 'function?', deleted: 'function?', visited: 'function?' },
    } satisfies Of<Listeners<never, unknown, unknown>>,
  },
  events: {
    of: { kinds: 'kinds', handle: 'function' } satisfies Of<Events<never, unknown, unknown>>,
  },
  endpoints: {
    each: {
      of: {
        ...{ summary: 'text', group: 'text?', scope: 'anything?', body: 'schema?' },
        ...{ query: 'schema?', answer: 'schema?', status: 'status?', media: 'media?' },
        ...{ addresses: 'function?', limit: 'text?', rateLimit: 'rateLimit?' },
        inTransaction: 'anything?',
        ...{ version: 'function?', handle: 'function' },
        unstable: {
          of: {
            ...{ fresh: 'seconds?', isHeavy: 'anything?', tries: 'anything?', tool: 'text?' },
            file: { of: { accept: 'function' } },
          },
        },
      } satisfies Of<Endpoint>,
    },
  },
  jobs: {
    each: {
      of: {
        ...{ label: 'text?', every: 'anything?', everywhere: 'anything?', run: 'function' },
      } satisfies Of<Job>,
    },
  },
  site: {
    of: {
      ...{ path: 'text', label: 'text?', folder: 'anything?', home: 'anything?' },
      signIn: 'text?',
    } satisfies Of<Site>,
  },
  mounts: {
    each: {
      of: {
        ...{ methods: 'methods?', headers: 'anything?', bodies: 'bodies?', maxBytes: 'maxBytes?' },
        ...{ hosts: 'hosts?', origins: 'anything?', token: 'function?', handle: 'function' },
        problem: 'function?',
      } satisfies Of<Mount>,
    },
  },
  unstable: {
    of: {
      guards: 'anything?',
      measures: 'anything?',
      totals: { each: 'text' },
      openFields: 'tells?',
      keys: 'tells?',
      hosts: 'function?',
      openViews: functions,
      unknown: 'function?',
      counts: 'function?',
      seesOwner: 'anything?',
      brought: 'function?',
      handOver: 'function?',
      mail: 'function?',
      notice: 'function?',
      newAccounts: 'text?',
      examine: 'function?',
      tells: 'tells?',
      hears: 'hears?',
      commands: {
        each: {
          of: {
            ...{ summary: 'text', help: 'text?' },
            arguments: { each: 'field' },
            options: { each: 'field' },
            run: 'function',
          } satisfies Of<Command>,
        },
      },
      providers: {
        each: {
          of: {
            ...{ label: 'text', isReady: 'function?', begin: 'function', finish: 'function' },
            leave: 'function?',
          } satisfies Of<Provider>,
        },
      },
      passwords: 'function?',
      steps: {
        each: {
          of: {
            label: 'text',
            method: 'method',
            oneOf: 'text?',
            isNeeded: 'function?',
            ask: 'function',
            check: 'function',
          } satisfies Of<Step>,
        },
      },
      dashboard: { of: shapeOfDashboard },
      languages: 'anything?',
    } satisfies Of<UnstableParts>,
  },
} as const satisfies Of<Plugin>

type Of<T> = Readonly<Record<keyof T, Shape>>

/**
 * What a plugin has that no plugin can have, and which of its parts are of another kind than they must be. A name that is
 * not known may be a guard that is spelled wrong, and nothing would be guarded.
 */
export function checkShape(plugin: object): readonly string[] {
  return [...wrongMembers(plugin, partsOfPlugin, '')]
}

function* wrongMembers(value: object, members: Members, at: string): Iterable<string> {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name)) continue
    yield `has an unknown part ${at}${name}. ${remedyOf(name, members, at)}`
  }
  for (const [name, shape] of Object.entries(members)) {
    const part = (value as Readonly<Record<string, unknown>>)[name]
    // What is made of parts may be left out; one of its parts may not.
    if (part === undefined && typeof shape === 'object') continue
    yield* wrongPart(part, shape, at + name)
  }
}

function* wrongPart(part: unknown, shape: Shape, at: string): Iterable<string> {
  if (typeof shape === 'string') {
    const [isOk, remedy] = kinds[shape]
    if (!isOk(part)) yield `has a wrong ${at}. ${remedy}.`
    return
  }
  if ('oneOf' in shape) {
    if (typeof part === 'string' && shape.oneOf.includes(part)) return
    yield `has a wrong ${at}. Write one of ${shape.oneOf.join(', ')}.`
  } else if ('list' in shape) {
    if (!Array.isArray(part)) yield `has a wrong ${at}. Write a list.`
    else
      for (const [index, it] of part.entries()) yield* wrongPart(it, shape.list, `${at}[${index}]`)
  } else if (!isObject(part)) yield `has a wrong ${at}. Write an object.`
  else if ('of' in shape) yield* wrongMembers(part, shape.of, `${at}.`)
  else {
    for (const [name, it] of Object.entries(part)) yield* wrongPart(it, shape.each, `${at}.${name}`)
  }
}

function remedyOf(name: string, members: Members, at: string): string {
  const listener = at === '' && Object.keys(partsOfPlugin.on.of).find(it => isCalled(name, it))
  if (listener) return `Did you mean on: { ${listener}() { … } }?`
  const isUnstable = at === '' && Object.hasOwn(partsOfPlugin.unstable.of, name)
  if (isUnstable) return `Write it below unstable: unstable: { ${name}: … }.`
  return meant(
    name,
    Object.keys(members),
    'Remove it, or update Linnet if a newer version knows it.',
  )
}

/** Whether somebody may have meant this listener: `onVisited`, `onVisit`, `visited`. */
function isCalled(name: string, listener: string): boolean {
  const event = name.replace(/^on(?=[A-Z])/, '').toLowerCase()
  return (
    event !== '' &&
    [listener, listener.replace(/e?d$/, ''), listener.replace(/d$/, '')].includes(event)
  )
}

function isField(it: unknown): boolean {
  if (!isObject(it)) return false
  const { label, control, schema, store, open } = it as Readonly<Record<string, unknown>>
  const isNamed = typeof label === 'string' && typeof control === 'string'
  return isNamed && isSchema(schema) && isFunction(store) && isFunction(open)
}

function isSchema(it: unknown): boolean {
  return isObject(it) && '_zod' in it
}

function isFunction(it: unknown): boolean {
  return typeof it === 'function'
}

function isObject(it: unknown): it is object {
  return typeof it === 'object' && it !== null && !Array.isArray(it)
}

/** Every function that a plugin can have, such as `guard`, `views.*` and `jobs.*.run`, and every field, whose schema is code too. */
export function functionsOfPlugins(): readonly string[] {
  return [...functionsIn(partsOfPlugin, '')].sort()
}

function* functionsIn(members: Members, at: string): Iterable<string> {
  for (const [name, shape] of Object.entries(members)) yield* functionsOf(shape, at + name)
}

function* functionsOf(shape: Shape, at: string): Iterable<string> {
  if (typeof shape === 'string') {
    if (shape.startsWith('function') || shape === 'field') yield at
  } else if ('of' in shape) yield* functionsIn(shape.of, `${at}.`)
  else if ('each' in shape) yield* functionsOf(shape.each, `${at}.*`)
  else if ('list' in shape) yield* functionsOf(shape.list, `${at}.*`)
}
