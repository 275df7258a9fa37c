import type { SetUp } from './accounts/set-up.ts'
import type { AppOptions } from './app-options.ts'
import { createParts } from './assemble.ts'
import { counted } from './counted.ts'
import type { Route } from './http/route.ts'
import type { Server } from './http/server.ts'
import { within } from './http/within.ts'
import type { Jobs } from './kernel/jobs.ts'
import { loadPlugins } from './kernel/load-plugins.ts'
import { featuresOn } from './kernel/plugin-choice.ts'
import { Mistakes, type RunningPlugins, startPlugins } from './kernel/start-plugins.ts'
import type { LinkCache } from './links/cache.ts'
import { countGuardedLinks } from './links/guarded-links.ts'
import type { Hosts } from './links/hosts.ts'
import { nothingOutside } from './outside/load-outside.ts'
import type { Log } from './plugin.ts'
import type { Database, Storage } from './storage/database.ts'
import { instanceSecret } from './storage/meta.ts'
import type { Recorder } from './visits/collect/recorder.ts'
import type { Remover } from './visits/upkeep/remove-when-idle.ts'

/** A running app, not yet listening. */
export interface App {
  readonly db: Database
  readonly server: Server
  readonly routes: readonly Route[]
  readonly setUp: SetUp
  readonly jobs: Jobs
  readonly recorder: Recorder
  readonly remover: Remover
  readonly cache: LinkCache
  readonly plugins: RunningPlugins
  /** What plugins have begun and not ended, as `link.x on.created`. */
  underWay(): readonly string[]
  /** Stop in order and write everything where it belongs; gives how many visits could not be kept. */
  close(): Promise<{ readonly lost: number }>
}

/**
 * Until when each part of a stop may last, in milliseconds from its beginning: all of it takes less than
 * ten seconds. What has not ended by then is named and left behind.
 */
const stopUntilMs = { underWay: 3_000, visits: 7_000, plugins: 8_700 }

/** Load and start the plugins and put the parts together. Throws `Mistakes`, all of them at once. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { storage, log, outside = nothingOutside } = options
  tellOfDamage(storage, log)
  const startedWith = options.settings.read().plugins ?? {}
  const on = featuresOn(options.choice, startedWith)
  const missing = on.filter(it => outside.broken.length > 0 && !Object.hasOwn(options.registry, it))
  const { plugins, ...loaded } = await loadPlugins(
    options.registry,
    on.filter(feature => !missing.includes(feature)),
    outside.plugins.map(({ plugin }) => plugin.feature),
  )
  if (loaded.mistakes.length > 0) throw new Mistakes(loaded.mistakes)
  const leftOut = {
    ...Object.fromEntries(outside.broken.map(({ name, problem }) => [name, problem])),
    ...Object.fromEntries(
      missing.map(feature => [feature, 'no plugin that can be read brings it']),
    ),
    ...loaded.leftOut,
  }
  for (const [name, why] of Object.entries(leftOut)) log.error(`${name} is left out: ${why}`)

  const stopping = new AbortController()
  const secret = await instanceSecret(storage.db)
  const parts = createParts({ ...options, secret, startedWith, signal: stopping.signal })
  const started = await startPlugins(plugins, parts.get('services'), parts.get('contain'), {
    settings: startedWith.settings ?? {},
    env: options.env,
  })
  const running = { ...started, leftOut: { ...leftOut, ...started.leftOut } }
  parts.set('plugins', running)
  await warnOfShutLinks(storage.db, running, log)
  await findHosts(parts.get('hosts'), log)
  storage.onFailedFlush(() => void findHosts(parts.get('hosts'), log))

  const tellOfUnended = () => {
    const jobs = parts.get('jobs').running()
    for (const what of [
      ...jobs.map(({ name }) => `The job ${name}`),
      ...parts.get('contain').underWay(),
    ]) {
      log.warn(`${what} has not ended in time and is left behind`)
    }
  }

  const app: App = {
    db: storage.db,
    server: parts.get('server'),
    routes: parts.get('routes'),
    setUp: parts.get('setUp'),
    jobs: parts.get('jobs'),
    recorder: parts.get('recorder'),
    remover: parts.get('remover'),
    cache: parts.get('cache'),
    plugins: running,
    underWay: () => parts.get('contain').underWay(),
    async close() {
      const beganAt = performance.now()
      const left = (untilMs: number) => Math.max(untilMs - (performance.now() - beganAt), 0)
      stopping.abort()
      const ends = [app.server.stop(stopUntilMs.underWay), app.jobs.stop(), app.remover.close()]
      await within(left(stopUntilMs.underWay), Promise.all(ends), undefined)
      const { lost } = await app.recorder.close(left(stopUntilMs.visits))
      await within(left(stopUntilMs.plugins), running.stop(), undefined)
      tellOfUnended()
      await storage.close()
      return { lost }
    },
  }
  return app
}

/** Damage may show at any time; of the log it is known what the start found. */
function tellOfDamage({ damage, lostPages }: Storage, log: Log): void {
  damage.onFound(why => {
    log.error(
      `The database is damaged: ${why}. Stop Linnet and put a copy from the folder backups in its place: ` +
        'linnet restore <copy>',
    )
  })
  if (lostPages === 0) return
  log.error(
    `${lostPages} pages of the write-ahead log could not be read: it is damaged or missing. Links, changes ` +
      'and visits of the last minutes before this start may be lost. See whether the disk is sound, and ' +
      'compare with the newest copy in the folder backups',
    { pages: lostPages },
  )
}

/** Hosts with links that nothing answers for stay shut, also when a plugin cannot say which it has. */
async function findHosts(hosts: Hosts, log: Log): Promise<void> {
  try {
    await hosts.refresh()
  } catch (error) {
    log.error('Links on hosts of their own stay shut until their plugin can say which there are', {
      error,
    })
  }
  for (const [host, it] of hosts.all()) {
    if (it !== 'shut') continue
    log.warn(`Links on ${host} stay shut: no plugin that is on answers for this host.`, { host })
  }
}

/** Links whose guard is not there stay shut: say how many, and how to open them. */
async function warnOfShutLinks(db: Database, { running }: RunningPlugins, log: Log): Promise<void> {
  const on = new Set<string>(running.map(({ plugin }) => plugin.feature))
  for (const [feature, links] of await countGuardedLinks(db)) {
    if (on.has(feature)) continue
    log.warn(
      `${counted(links, 'link')} ${links === 1 ? 'is' : 'are'} guarded by ${feature}, which does not run, and ` +
        `${links === 1 ? 'stays' : 'stay'} shut. ` +
        `Turn it on or put it right, or open them without it: linnet plugins release ${feature}`,
      { feature, links },
    )
  }
}
