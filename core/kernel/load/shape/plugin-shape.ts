import type { Command } from '../../../plugin/commands/command.ts'
import type { Dimension } from '../../../plugin/dimension.ts'
import type { Endpoint } from '../../../plugin/endpoint.ts'
import type { Computed, Filter, Group, Status } from '../../../plugin/listed-links.ts'
import type { Mount, Site } from '../../../plugin/mount.ts'
import type { Provider } from '../../../plugin/sign-in/provider.ts'
import type { FirstStep, Step } from '../../../plugin/sign-in/step.ts'
import type { Events, Job, Limit, Listeners, Plugin, UnstableParts } from '../../../plugin.ts'
import { shapeOfDashboard } from './dashboard-shape.ts'
import type { Members, Shape, ShapesOf } from './part-kinds.ts'

const functions = { each: 'function' } as const

/** Every part that a plugin can have. The compiler finds what is missing here, or is too much. */
export const partsOfPlugin = {
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
    of: { schema: 'schemas', of: 'function', atFirst: 'anything?' } satisfies ShapesOf<Computed>,
  },
  statuses: {
    each: {
      of: { label: 'text', rank: 'anything?', links: 'function' } satisfies ShapesOf<Status>,
    },
  },
  filter: { of: { query: 'schemas', where: 'function' } satisfies ShapesOf<Filter> },
  groups: { each: { of: { summary: 'text', links: 'function' } satisfies ShapesOf<Group> } },
  limits: { each: { of: { label: 'text', used: 'text' } satisfies ShapesOf<Limit> } },
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
      } satisfies ShapesOf<Dimension>,
    },
  },
  on: {
    of: {
      ...{ created: 'function?', updated: 'function?', deleted: 'function?', visited: 'function?' },
    } satisfies ShapesOf<Listeners<never, unknown, unknown>>,
  },
  events: {
    of: { kinds: 'kinds', handle: 'function' } satisfies ShapesOf<Events<never, unknown, unknown>>,
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
      } satisfies ShapesOf<Endpoint>,
    },
  },
  jobs: {
    each: {
      of: {
        ...{ label: 'text?', every: 'anything?', everywhere: 'anything?', run: 'function' },
      } satisfies ShapesOf<Job>,
    },
  },
  site: {
    of: {
      ...{ path: 'text', label: 'text?', folder: 'anything?', home: 'anything?' },
      signIn: 'text?',
    } satisfies ShapesOf<Site>,
  },
  mounts: {
    each: {
      of: {
        ...{ methods: 'methods?', headers: 'anything?', bodies: 'bodies?', maxBytes: 'maxBytes?' },
        ...{ hosts: 'hosts?', origins: 'anything?', token: 'function?', handle: 'function' },
        problem: 'function?',
      } satisfies ShapesOf<Mount>,
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
      clientAddresses: 'text?',
      commands: {
        each: {
          of: {
            ...{ summary: 'text', help: 'text?' },
            arguments: { each: 'field' },
            options: { each: 'field' },
            run: 'function',
          } satisfies ShapesOf<Command>,
        },
      },
      providers: {
        each: {
          of: {
            ...{ label: 'text', isReady: 'function?', begin: 'function', finish: 'function' },
            leave: 'function?',
          } satisfies ShapesOf<Provider>,
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
            first: {
              of: {
                ...{ label: 'text', isReady: 'function?', ask: 'function', check: 'function' },
              } satisfies ShapesOf<FirstStep>,
            },
          } satisfies ShapesOf<Step>,
        },
      },
      dashboard: { of: shapeOfDashboard },
      languages: 'anything?',
    } satisfies ShapesOf<UnstableParts>,
  },
} as const satisfies ShapesOf<Plugin>

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
