import { z } from 'zod'
import { isStillAdmin } from '../../accounts/access/hold-caller.ts'
import type { SignedIn } from '../../accounts/account.ts'
import { nothingOutside } from '../../kernel/load/outside-plugins.ts'
import type { Switcher } from '../../kernel/run/switcher.ts'
import {
  type Installed,
  type PluginPackages,
  packageName,
  packageSpec,
} from '../../outside/packages.ts'
import { IndexUnusable, type ListedPlugin } from '../../outside/plugin-index.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import {
  always,
  forAdmins,
  forWholeAdmins,
  notAdmin,
  type Route,
  route,
} from '../api/route/route.ts'

const packageSchema = z.strictObject({
  name: z.string().meta({ description: 'Name of the package or of the single file.' }),
  version: z.string().nullable(),
  feature: z
    .string()
    .nullable()
    .meta({ description: 'The feature it provides; null: it cannot be loaded.' }),
  running: z.string().nullable().meta({
    description: 'The version that runs, or the name of a single file; null: none runs.',
  }),
  problem: z.string().nullable().meta({
    description: 'Why it does not run although it is on, or why another version runs.',
  }),
})

const outdatedSchema = z.strictObject({
  name: z.string(),
  current: z.string(),
  wanted: z.string().meta({ description: 'The newest version within the requested range.' }),
  latest: z.string(),
})

const listedSchema = z.strictObject({
  name: z.string(),
  about: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  repository: z.string().nullable(),
  released: z.iso.date().meta({ description: 'The day of its last release.' }),
  reads: z.array(z.string()).meta({ description: 'What it reads of visitors: `place`, `city`.' }),
  unstable: z
    .array(z.string())
    .meta({ description: 'Parts of the plugin API that it uses and that may change.' }),
  version: z
    .string()
    .nullable()
    .meta({ description: 'The newest version that this Linnet can run; null: none.' }),
  problem: z.string().nullable().meta({ description: 'Why this Linnet can run none.' }),
  verified: z
    .strictObject({
      by: z.string(),
      provenance: z.url().meta({ description: 'Where it says from which source it was built.' }),
    })
    .nullable()
    .meta({ description: 'Who says that this version was built from its source; null: nobody.' }),
  installed: z.string().nullable().meta({ description: 'The version that is installed.' }),
})

const indexAnswer = z.strictObject({
  data: z.array(listedSchema),
  unreadable: z
    .int()
    .min(0)
    .meta({ description: 'Number of entries that are left out because they are invalid.' }),
})

/** How long npm may take, in milliseconds. */
const answerMs = 120_000
/** How often is looked whether the caller is still an admin, in milliseconds. */
const lookMs = 500

/** Changes make the machine run other code, so they are for admins who may do everything. */
const changing = { ...forWholeAdmins, answerMs, asksPassword: always } as const
const answer = z.strictObject({ data: packageSchema })

const packagesAnswer = z.strictObject({
  data: z.array(packageSchema),
  changeable: z.boolean().meta({
    description:
      'Whether admins may install and remove plugins over the API: LINNET_PLUGIN_INSTALL is 1.',
  }),
  index: z.string().nullable().meta({ description: 'The URL of the index; null: none is set.' }),
})
const outdatedAnswer = z.strictObject({ data: z.array(outdatedSchema) })
const packageToAdd = z.strictObject({ package: packageSpec })
const packageToRemove = z.strictObject({ package: packageName })

/** The installed plugins that did not come with Linnet. They are changed only where the operator allows it. */
export function pluginPackageRoutes({
  db,
  packages,
  switcher,
  log,
}: {
  readonly db: Database
  readonly packages?: PluginPackages | undefined
  readonly switcher: Pick<Switcher, 'plugins' | 'available' | 'refresh'>
  readonly log: Log
}): readonly Route[] {
  const list = () => (packages?.list() ?? []).map(it => show(it, switcher))

  return [
    route('GET /admin/plugins/packages', {
      ...forAdmins,
      name: 'admin.pluginPackages.list',
      summary: 'List installed plugins',
      answer: packagesAnswer,
      handle: () => ({
        body: {
          data: list(),
          changeable: packages?.isChangeable ?? false,
          index: packages?.index?.address ?? null,
        },
      }),
    }),
    route('GET /admin/plugins/packages/outdated', {
      ...forAdmins,
      answerMs,
      name: 'admin.pluginPackages.outdated',
      summary: 'List installed plugins with a newer version in the npm registry',
      answer: outdatedAnswer,
      problems: [409],
      async handle() {
        const changeable = mayChange(packages)
        if (isRefusal(changeable)) return changeable
        const outdated = await changeable.findOutdated()
        return isRefusal(outdated) ? outdated : { body: { data: outdated } }
      },
    }),
    route('GET /admin/plugins/index', {
      ...forAdmins,
      answerMs,
      name: 'admin.pluginIndex.list',
      summary: 'Read the index of plugins, which LINNET_PLUGIN_INDEX names',
      answer: indexAnswer,
      problems: [409],
      async handle() {
        const index = packages?.index
        if (!index) return { body: { data: [], unreadable: 0 } }
        try {
          const { plugins, unreadable } = await index.read()
          const installed = new Map(packages.list().map(it => [it.name, it.version]))
          const data = plugins.map(it => listed(it, installed.get(it.name) ?? null))
          return { body: { data, unreadable } }
        } catch (error) {
          if (error instanceof IndexUnusable)
            return refuse('plugin_index_unusable', error.message, 409)
          throw error
        }
      },
    }),
    route('POST /admin/plugins/packages', {
      ...changing,
      name: 'admin.pluginPackages.add',
      summary:
        'Install a plugin from the npm registry, or change its version, with immediate effect',
      body: packageToAdd,
      answer,
      problems: [409],
      async handle({ caller, body: { package: spec } }) {
        const changeable = mayChange(packages)
        if (isRefusal(changeable)) return changeable
        const added = await whileAdmin(caller, signal => changeable.add(spec, signal))
        if (isRefusal(added)) return added
        await switcher.refresh()
        const data = list().find(it => it.name === added.name)
        if (!data)
          return refuse('plugin_unusable', 'It was removed in the meantime.', 409, 'package')
        tell('installed', data, caller)
        return { body: { data } }
      },
    }),
    route('DELETE /admin/plugins/packages', {
      ...changing,
      name: 'admin.pluginPackages.remove',
      summary: 'Remove an installed plugin, with immediate effect',
      body: packageToRemove,
      status: 204,
      problems: [404, 409],
      async handle({ caller, body: { package: name } }) {
        const changeable = mayChange(packages)
        if (isRefusal(changeable)) return changeable
        const found = changeable.list().find(it => it.name === name)
        if (!found) return refuse('not_found', 'No plugin with this name is installed.', 404)
        const refused = await whileAdmin(caller, signal => changeable.remove(name, signal))
        if (refused) return refused
        await switcher.refresh()
        tell('removed', found, caller)
        return {}
      },
    }),
  ]

  /** A change takes npm's time, in which an admin may be dismissed: then it is given up. */
  async function whileAdmin<T>(
    caller: SignedIn,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Refusal> {
    const dismissed = new AbortController()
    let isLooking = false
    const look = async () => {
      // A database that answers slowly is asked once at a time.
      if (isLooking) return
      isLooking = true
      try {
        if (!(await isStillAdmin(db, caller))) dismissed.abort()
      } catch (error) {
        log.error('It cannot be told whether the admin who changes plugins is one still', { error })
      } finally {
        isLooking = false
      }
    }
    const looking = setInterval(() => void look(), lookMs)
    try {
      const done = await work(dismissed.signal)
      return dismissed.signal.aborted ? notAdmin : done
    } finally {
      clearInterval(looking)
    }
  }

  function tell(what: string, { name, version }: Installed, { account }: SignedIn): void {
    log.warn(`The plugin ${name} was ${what} over the API`, {
      name,
      version,
      account: account.email,
    })
  }
}

function listed(
  { versions: _, withdrawn: __, ...entry }: ListedPlugin,
  installed: string | null,
): z.infer<typeof listedSchema> {
  return { ...entry, repository: entry.repository ?? null, installed }
}

/** A package as it is in the folder, and which version of it runs. */
function show(
  { name, version, problem }: Installed,
  { plugins, available }: Pick<Switcher, 'plugins' | 'available'>,
): z.infer<typeof packageSchema> {
  const { plugins: read, broken } = available().outside ?? nothingOutside
  const { running, leftOut, heldBack } = plugins()
  const known = read.find(it => it.name === name)
  const feature = known?.feature ?? null
  const runs = running.some(({ plugin }) => plugin.feature === feature)
  const why = feature === null ? whyUnread : (leftOut[feature] ?? heldBack[feature])
  return {
    name,
    version,
    feature,
    running: runs ? (known?.version ?? name) : null,
    problem: problem ?? broken.find(it => it.name === name)?.problem ?? why ?? null,
  }
}

const whyUnread = 'the environment variable PLUGINS does not list it, so it is not loaded'

function mayChange(packages: PluginPackages | undefined) {
  return packages?.isChangeable ? packages : isOff
}

const isOff = refuse(
  'plugin_install_off',
  'Plugins are code, so they can only be installed over the API if LINNET_PLUGIN_INSTALL is 1. ' +
    'On the server itself, use: linnet plugins add',
  409,
)
