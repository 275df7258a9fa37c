import { isDeepStrictEqual } from 'node:util'
import type { Server } from '../../http/server/server.ts'
import type { Delivery } from '../../kernel/events/delivery.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import { whyStopped } from '../../kernel/load/refuse-switch.ts'
import { withChange } from '../../kernel/run/plugin-state.ts'
import type { RunningPlugin, StartDeps } from '../../kernel/run/start-plugin.ts'
import {
  type AvailablePlugins,
  mistakesInSettings,
  type RunningPlugins,
} from '../../kernel/run/start-plugins.ts'
import type { Switcher } from '../../kernel/run/switcher.ts'
import { createTurns, type Turns } from '../../lib/async/turns.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import { UserError } from '../../lib/user-error.ts'
import type { LinkCache } from '../../links/follow/cache.ts'
import type { Hosts } from '../../links/follow/hosts.ts'
import { isRefusal, refuse } from '../../plugin/outcomes.ts'
import type { Log } from '../../plugin.ts'
import type { RunTimeSettings, SettingsStore } from '../../settings/settings.ts'
import type { Storage } from '../../storage/database.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'
import type { Recorder } from '../../visits/collect/recorder.ts'
import { findHosts, tellOfChange, warnOfShut } from './after-a-change.ts'
import type { PluginSets } from './plugin-set.ts'
import {
  type Attempt,
  loadAvailable,
  type PluginSelection,
  type PreparedSet,
  prepareSet,
} from './prepare-set.ts'
import { createRetirement } from './retirement.ts'
import type { TellOfState } from './tell-of-state.ts'

export interface SwitchingDeps extends AvailablePlugins, StartDeps {
  readonly storage: Storage
  readonly settings: SettingsStore
  readonly log: Log
  /** Looks again for the plugins that exist. Default: they stay the same. */
  readonly lookForPlugins?: () => Promise<AvailablePlugins>
  readonly cache: Pick<LinkCache, 'forgetAll'>
  readonly hosts: Hosts
  readonly recorder: () => Pick<Recorder, 'prepare'>
  readonly server: () => Pick<Server, 'answerWith'>
  readonly jobs: () => Jobs
  readonly delivery: Pick<Delivery, 'deliverTo'>
  readonly stateTold: TellOfState
  readonly isCommand?: boolean
}

/**
 * Switches plugins by building a complete new set of the parts that depend on them, next to the running set, and then
 * replacing that set between two requests. Plugins that do not change keep their state.
 */
export function createSwitcher(deps: SwitchingDeps, sets: PluginSets): Switcher {
  const { storage, settings, log, env, contain, cache, hosts, recorder, server, jobs } = deps
  const { delivery, stateTold } = deps
  const { lookForPlugins, registry, outside, choice } = deps
  const switching = createTurns()
  const looking = createTurns()
  const attempts = new Map<string, Attempt>()
  const retirement = createRetirement({ contain, jobs })
  let found: AvailablePlugins = { registry, ...(outside && { outside }), choice }

  const plugins = () => sets.now().plugins
  const selection = (stored = settings.read()): PluginSelection => ({
    available: found,
    byAdmins: stored.plugins ?? {},
  })

  /** @param ready plugins that are set up already; those that are not used are stopped */
  async function prepare(
    selection: PluginSelection,
    before?: RunningPlugins,
    ready: readonly RunningPlugin[] = [],
  ): Promise<PreparedSet> {
    let used: readonly RunningPlugin[] = []
    try {
      const { plugins, started } = await prepareSet(selection, before, attempts, deps, ready)
      retirement.watch(started)
      used = ready.filter(it => plugins.running.includes(it))
      return { plugins, started: [...used, ...started] }
    } finally {
      void retirement.stop(ready.filter(it => !used.includes(it)))
    }
  }

  /** Sets up new plugins before the turn of the change, so that a `setup` that hangs does not delay other changes. */
  async function setUp(selection: PluginSelection): Promise<readonly RunningPlugin[]> {
    try {
      return (await prepare(selection, plugins())).started
    } catch {
      // The turn of this change prepares the same and reports the error.
      return []
    }
  }

  /** Makes all parts that depend on the plugins. Resolves to a function that puts them in place of the running ones. */
  async function makeReady({ plugins, started }: PreparedSet): Promise<() => void> {
    try {
      const set = sets.make(plugins)
      const answering = set.answering()
      const count = await recorder().prepare(set.counted)
      return () => {
        const { plugins: before, runningWork } = sets.now()
        sets.use(set)
        server().answerWith(answering)
        jobs().replace(set.everyJob)
        count()
        cache.forgetAll()
        for (const { plugin } of started) contain.forget(plugin.feature)
        const gone = before.running.filter(it => !plugins.running.includes(it))
        retirement.retire(gone, runningWork)
      }
    } catch (error) {
      await retirement.stop(started)
      throw error
    }
  }

  /** Prepares a change, or returns a refusal if the plugin or something that it adds is at fault. */
  async function readyOrRefused(
    feature: string,
    selection: PluginSelection,
    started: readonly RunningPlugin[],
  ) {
    const refused = (why: string) =>
      refuse('set_up_failed', `${feature} is unchanged: ${why}.`, 409)
    try {
      const prepared = await prepare(selection, plugins(), started)
      const { heldBack, leftOut } = prepared.plugins
      const running = plugins().running.map(({ plugin }) => plugin)
      const why = heldBack[feature] ?? leftOut[feature] ?? whyStopped(running, leftOut)
      if (why === undefined) return { started: prepared.started, use: await makeReady(prepared) }
      await retirement.stop(prepared.started)
      return refused(why)
    } catch (error) {
      if (isStorageTrouble(error)) throw error
      if (!(error instanceof UserError)) log.error(`${feature} could not be changed`, { error })
      return refused(messageForPeople(error).replace(/\.$/, ''))
    }
  }

  async function tell(before?: RunningPlugins): Promise<void> {
    if (deps.isCommand) return findHosts(hosts, log)
    tellOfChange(plugins(), before, found.outside?.broken ?? [], log)
    await warnOfShut(storage.db, plugins(), before, log)
    await findHosts(hosts, log)
    await delivery.deliverTo(plugins())
    await stateTold.settings()
    await stateTold.plugins(plugins().running)
  }

  return {
    available: () => plugins().available,
    plugins,

    async start() {
      await expectSettings(selection(), env)
      const first = await prepare(selection())
      const guarding = [...attempts.values()].filter(isMissed)
      if (guarding.length > 0) {
        await retirement.stop(first.started)
        throw new UserError(guarding.map(repairFirst).join('\n'))
      }
      const set = sets.make(first.plugins)
      sets.use(set)
      await tell()
    },

    async change(feature, change, refuse) {
      const refused = await refuse()
      if (refused) return refused
      const changed = (stored: RunTimeSettings) => withChange(stored, found.choice, feature, change)
      attempts.delete(feature)
      const started = await setUp(selection(changed(settings.read())))
      return inTurn(switching, async () => {
        const refused = await refuse()
        if (refused) {
          void retirement.stop(started)
          return refused
        }
        const ready = await readyOrRefused(feature, selection(changed(settings.read())), started)
        if (isRefusal(ready)) return ready
        const before = plugins()
        try {
          await settings.update(changed)
        } catch (error) {
          await retirement.stop(ready.started)
          throw error
        }
        ready.use()
        await tell(before)
        return undefined
      })
    },

    refresh: () =>
      inTurn(looking, async () => {
        await settings.reload()
        const available = (await lookForPlugins?.()) ?? found
        const started = await setUp({ ...selection(), available })
        await inTurn(switching, async () => {
          found = available
          const before = plugins()
          const prepared = await prepare(selection(), before, started)
          if (isSame(prepared.plugins, before)) return
          const use = await makeReady(prepared)
          use()
          await tell(before)
        })
      }),

    close: retirement.close,
  }
}

async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const endTurn = await turns.take()
  try {
    return await work()
  } finally {
    endTurn()
  }
}

/** Throws a `UserError` with all mistakes in the settings of our own plugins. Others may be left out. */
async function expectSettings(
  { available, byAdmins }: PluginSelection,
  env: StartDeps['env'],
): Promise<void> {
  const { plugins, mistakes } = await loadAvailable(available, byAdmins)
  const outside = available.outside?.plugins.map(({ feature }) => feature) ?? []
  const ours = plugins.filter(({ feature }) => !outside.includes(feature))
  const all = [...mistakes, ...mistakesInSettings(ours, byAdmins.settings ?? {}, env)]
  if (all.length > 0) throw new UserError(all.join('\n'))
}

/** Whether links may depend on the plugin that failed. */
function isMissed({ plugin, failure }: Attempt): boolean {
  const couldNotBegin = failure.of === 'set-up' || failure.of === 'settings'
  return couldNotBegin && (plugin.guard ?? plugin.validate) !== undefined
}

function repairFirst({ plugin: { feature }, failure }: Attempt): string {
  return (
    `${feature} could not be set up: ${failure.why}. Links depend on it, so Linnet does not start without ` +
    `it. Correct its settings, or switch it off with: linnet plugins off ${feature}`
  )
}

function isSame(now: RunningPlugins, before: RunningPlugins): boolean {
  return (
    now.running.length === before.running.length &&
    now.running.every((it, index) => it === before.running[index]) &&
    isDeepStrictEqual(troubles(now), troubles(before))
  )
}

function troubles({ leftOut, heldBack, stacks }: RunningPlugins) {
  return [leftOut, heldBack, stacks]
}
