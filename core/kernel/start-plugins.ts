import type { Context, Plugin } from '../plugin.ts'
import { isDamage } from '../storage/damage.ts'
import type { Tx } from '../storage/database.ts'
import type { Containment } from './contain.ts'
import { contextWithin, createContext, type Services } from './context.ts'
import { ChangedMigration, migratePlugin } from './plugin-migrations.ts'
import { readPluginSettings, type StoredSettings } from './plugin-settings.ts'

/** A plugin that is set up, with all that its hooks can reach. */
export interface RunningPlugin {
  readonly plugin: Plugin
  readonly context: Context
  /** The same, in a transaction. */
  within(tx: Tx): Context
}

export interface RunningPlugins {
  readonly running: readonly RunningPlugin[]
  /** Plugins that are on but could not start, with the reason; health says so. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Dispose of them, last first. */
  stop(): Promise<void>
}

/** What stops a boot: one or more sentences with the remedy. */
export class Mistakes extends Error {
  override readonly name = 'Mistakes'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * Migrate and set up each plugin in order. One that fails is left out loudly; but when a link could
 * depend on it, because it guards or validates, the boot stops.
 */
export async function startPlugins(
  plugins: readonly Plugin[],
  services: Services,
  contain: Containment,
  configured: {
    readonly settings: StoredSettings
    readonly env: Readonly<Record<string, string | undefined>>
  },
): Promise<RunningPlugins> {
  const settings = readAllSettings(plugins, configured.settings, configured.env)
  const running: RunningPlugin[] = []
  const member = (plugin: Plugin, context: Context): RunningPlugin => ({
    plugin,
    context,
    within: tx => contextWithin(tx, context, plugin, services),
  })
  const begun: RunningPlugin[] = []
  const leftOut: Record<string, string> = {}

  const stop = async () => {
    for (const { plugin, context } of begun.reverse()) {
      if (plugin.dispose) {
        await contain.run(plugin.feature, 'dispose', () => plugin.dispose?.(context))
      }
    }
  }

  for (const plugin of plugins) {
    const { feature } = plugin
    const missing = plugin.needs?.find(need => leftOut[need] !== undefined)
    if (missing) {
      leftOut[feature] = `it needs ${missing}, which is left out`
      continue
    }
    const unmigrated = await migrationFailure(plugin, services)
    if (unmigrated) {
      leftOut[feature] = unmigrated
      services.log.error(`${feature} is left out: ${unmigrated}`)
      continue
    }
    const context = createContext(plugin, services, settings.get(feature) ?? {})
    begun.push(member(plugin, context))
    const state = await contain.run(feature, 'setup', () => plugin.setup?.(context as never))
    if (state.ok) {
      const ready = member(plugin, { ...context, state: state.value })
      running.push(ready)
      begun[begun.length - 1] = ready
      continue
    }
    const why = contain.health()[`${feature} setup`]?.last ?? 'it failed'
    if (plugin.guard || plugin.validate) {
      await stop()
      throw new Mistakes([
        `${feature} could not be set up: ${why}. Links depend on it, so Linnet does not start without ` +
          `it. Repair its settings, or turn it off with: linnet plugins off ${feature}`,
      ])
    }
    leftOut[feature] = `its set-up failed: ${why}`
    services.log.error(`${feature} is left out: ${leftOut[feature]}`)
  }
  return { running, leftOut, stop }
}

function readAllSettings(
  plugins: readonly Plugin[],
  stored: StoredSettings,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const read = plugins.map(plugin => ({
    feature: plugin.feature,
    ...readPluginSettings(plugin, stored, env),
  }))
  const mistakes = read.flatMap(({ mistakes }) => mistakes)
  if (mistakes.length > 0) throw new Mistakes(mistakes)
  return new Map(read.map(({ feature, values }) => [feature, values]))
}

async function migrationFailure(plugin: Plugin, services: Services): Promise<string | undefined> {
  try {
    await migratePlugin(services.db, plugin, services.now)
    return undefined
  } catch (error) {
    if (isDamage(error)) throw error
    if (error instanceof ChangedMigration) throw new Mistakes([error.message])
    return `its migration failed: ${error instanceof Error ? error.message : String(error)}`
  }
}
