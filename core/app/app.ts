import type { SetUp } from '../accounts/access/set-up.ts'
import type { Route } from '../http/api/route/route.ts'
import type { Server } from '../http/server/server.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { RunningPlugins } from '../kernel/run/start-plugins.ts'
import { within } from '../lib/async/within.ts'
import type { LinkCache } from '../links/follow/cache.ts'
import type { Log } from '../plugin.ts'
import { checkInThread } from '../storage/backups/copy-in-thread.ts'
import type { Database, Storage } from '../storage/database.ts'
import { expectWhole } from '../storage/files/integrity.ts'
import { lookAgain } from '../storage/files/look-again.ts'
import { instanceSecret } from '../storage/meta.ts'
import type { Recorder } from '../visits/collect/recorder.ts'
import type { Remover } from '../visits/upkeep/remove-when-idle.ts'
import type { AppOptions } from './app-options.ts'
import { hearNews } from './hear-news.ts'
import { makeLastingParts, type RunOptions } from './lasting-parts.ts'
import { lendServices } from './lend-services.ts'
import { makeSet } from './make-set.ts'
import { findHosts } from './switching/after-a-change.ts'
import { createSwitcher } from './switching/create-switcher.ts'
import type { PluginSet, PluginSets } from './switching/plugin-set.ts'

/** A running app, not yet listening. */
export interface App {
  readonly db: Database
  readonly server: Server
  /** The current routes of the API. */
  readonly routes: readonly Route[]
  readonly setUp: SetUp
  readonly jobs: Jobs
  readonly recorder: Recorder
  readonly remover: Remover
  readonly cache: LinkCache
  /** The plugins that run now. */
  readonly plugins: RunningPlugins
  /** The hooks of plugins that are still running, such as `link.x on.created`. */
  underWay(): readonly string[]
  /** Whether plugins are being told of events. */
  isDelivering(): boolean
  /** Notes a failure outside of the hooks of a plugin: if the plugin does not run, something of it still does. */
  noteStray(feature: string): void
  /** Reads again which plugins exist, which are on, and their settings, and runs exactly those. */
  lookForPlugins(): Promise<void>
  /** Stops everything in order and writes what is still in memory. Resolves to the number of visits that were lost. */
  close(): Promise<{ readonly lost: number }>
}

/**
 * When each part of a stop must have ended, in milliseconds from its beginning. A stop takes less than ten seconds even
 * if clients or the disk are slow, and less than two if only plugins are. What has not ended by then is logged and
 * abandoned.
 */
const stopUntilMs = { plugins: 1_000, underWay: 3_000, visits: 7_000 }

/** How long disposing of all plugins together may take, in milliseconds. */
const disposeMs = 500

/** Loads and starts the plugins, and connects the parts. Throws a `UserError` with all mistakes at once. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { storage, log } = options
  tellOfDamage(storage, log)
  const stopping = new AbortController()
  const secret = await instanceSecret(storage.db)
  const parts = compose({ ...options, secret, signal: stopping.signal })
  const { switcher, contain, hosts, setUp, remover, cache, sets, delivery } = parts
  let recorder: Recorder | undefined
  try {
    await switcher.start()
    recorder = parts.recorder()
    await recorder.ready()
  } catch (error) {
    // What has begun must not go on beside a database that is closed.
    stopping.abort()
    await Promise.all([remover.close(), delivery.close(), recorder?.close()])
    await within(disposeMs, switcher.close(), undefined)
    throw error
  }
  storage.onFailedFlush(() => void findHosts(hosts, log))
  const { file } = storage
  if (file !== undefined) {
    const { backupUrl } = options
    const check = () =>
      backupUrl ? checkInThread(backupUrl, file, stopping.signal) : expectWhole(file)
    lookAgain(storage.damage, check, log, stopping.signal)
  }
  hearNews({ ...options, ...parts, signal: stopping.signal })
  const [jobs, server] = [parts.jobs(), parts.server()]

  const isInPlugins = () => contain.underWay().length + jobs.running().length > 0
  const tellOfUnended = () => {
    const running = jobs.running().map(({ name }) => `The job ${name}`)
    for (const what of [...running, ...contain.underWay()]) {
      log.warn(`${what} did not end in time and is abandoned`)
    }
  }

  const app: App = {
    db: storage.db,
    ...{ server, setUp, jobs, recorder, remover, cache },
    get routes() {
      return sets.now().routes()
    },
    get plugins() {
      return switcher.plugins()
    },
    lookForPlugins: switcher.refresh,
    underWay: contain.underWay,
    isDelivering: delivery.isBusy,
    noteStray(feature) {
      const { running } = switcher.plugins()
      if (!running.some(({ plugin }) => plugin.feature === feature)) contain.noteStray(feature)
    },
    async close() {
      const beganAt = performance.now()
      const left = (untilMs: number) => Math.max(untilMs - (performance.now() - beganAt), 0)
      stopping.abort()
      const ends = Promise.all([
        app.server.stop(stopUntilMs.underWay),
        app.jobs.stop(),
        app.remover.close(),
        delivery.close(),
      ])
      await within(stopUntilMs.plugins, ends, undefined)
      if (!isInPlugins()) await within(left(stopUntilMs.underWay), ends, undefined)
      const { lost } = await app.recorder.close(left(stopUntilMs.visits))
      await within(disposeMs, switcher.close(), undefined)
      tellOfUnended()
      await storage.close()
      return { lost }
    },
  }
  return app
}

/** The plugins of an app that serves nobody, for a command. */
export interface CommandApp {
  readonly plugins: RunningPlugins
  readonly deleteAccount: PluginSet['deleteAccount']
  /** Waits for what plugins do after a change, and for the removal of counts; then disposes of the plugins. */
  close(): Promise<void>
}

/**
 * Starts the plugins as a server does, but without all that only one process may do: a server may run on the same data.
 * `signal` aborts the signals of their contexts.
 */
export async function buildCommandApp(
  options: AppOptions,
  signal: AbortSignal,
): Promise<CommandApp> {
  const secret = await instanceSecret(options.storage.db)
  const parts = compose({ ...options, isCommand: true, secret, signal })
  const { switcher, contain, remover } = parts
  await switcher.start()
  const { running } = switcher.plugins()
  return {
    plugins: switcher.plugins(),
    deleteAccount: parts.sets.now().deleteAccount,
    async close() {
      while (contain.underWay().length > 0) {
        await Promise.all(running.map(({ plugin }) => contain.ended(plugin.feature)))
      }
      // Linnet tries again at its next start.
      if (!signal.aborted) await remover.catchUp().catch(() => undefined)
      await remover.close()
      await switcher.close()
    },
  }
}

/** Logs damage of the database whenever it is found, and pages of the log that were already lost at the start. */
function tellOfDamage({ damage, lostPages }: Storage, log: Log): void {
  damage.onFound(why => {
    log.error(`The database is damaged: ${why}. ${damage.remedy}`)
  })
  if (lostPages === 0) return
  log.error(
    `${lostPages} pages of the write-ahead log could not be read: it is damaged or missing. Links, changes ` +
      'and visits of the last minutes before this start may be lost. Check the disk, and ' +
      'compare with the newest backup',
    { pages: lostPages },
  )
}

/**
 * Makes all parts of the app: those that last while plugins are switched, the services for plugins, and those that each
 * set of running plugins has of its own.
 */
function compose(options: RunOptions) {
  const sets = createSets(plugins => makeSet(options, { ...parts, switcher }, plugins))
  const parts = makeLastingParts(options, sets)
  const services = lendServices(options, parts, sets)
  const switcher = createSwitcher({ ...options, ...parts, services }, sets)
  return { ...parts, sets, switcher }
}

/** Sets of plugins, one of which is running. */
function createSets(make: PluginSets['make']): PluginSets {
  let running: PluginSet | undefined
  return {
    make,
    now() {
      if (!running) throw new Error('No plugins run yet.')
      return running
    },
    use(set) {
      running = set
    },
  }
}
