import type { SetUp } from '../accounts/access/set-up.ts'
import type { Route } from '../http/api/route/route.ts'
import type { Server } from '../http/server/server.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { RunningPlugins } from '../kernel/run/start-plugins.ts'
import { within } from '../lib/async/within.ts'
import type { LinkCache } from '../links/follow/cache.ts'
import type { Log } from '../plugin.ts'
import type { Database, Storage } from '../storage/database.ts'
import { instanceSecret } from '../storage/meta.ts'
import type { Recorder } from '../visits/collect/recorder.ts'
import type { Remover } from '../visits/upkeep/remove-when-idle.ts'
import type { AppOptions } from './app-options.ts'
import { compose } from './compose.ts'
import { hearNews } from './hear-news.ts'
import { findHosts } from './switching/after-a-change.ts'

/** A running app, not yet listening. */
export interface App {
  readonly db: Database
  readonly server: Server
  /** What the API answers now. */
  readonly routes: readonly Route[]
  readonly setUp: SetUp
  readonly jobs: Jobs
  readonly recorder: Recorder
  readonly remover: Remover
  readonly cache: LinkCache
  /** What runs now. */
  readonly plugins: RunningPlugins
  /** What plugins have begun and not ended, as `link.x on.created`. */
  underWay(): readonly string[]
  /** Look anew at which plugins there are and what is said of them, and have just those run. */
  lookForPlugins(): Promise<void>
  /** Stop in order and write everything where it belongs; gives how many visits could not be kept. */
  close(): Promise<{ readonly lost: number }>
}

/**
 * Until when each part of a stop may last, in milliseconds from its beginning: all of it takes less than ten
 * seconds where clients or the disk are slow, and less than two where only plugins are. What has not ended by then is
 * named and left behind.
 */
const stopUntilMs = { plugins: 1_000, underWay: 3_000, visits: 7_000 }

/** How long plugins may take to be disposed of, all of them, in milliseconds. */
const disposeMs = 500

/** Load and start the plugins and put the parts together. Throws `Mistakes`, all of them at once. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { storage, log } = options
  tellOfDamage(storage, log)
  const stopping = new AbortController()
  const secret = await instanceSecret(storage.db)
  const parts = compose({ ...options, secret, signal: stopping.signal })
  const { switcher, contain, hosts, setUp, remover, cache, sets } = parts
  await switcher.start()
  storage.onFailedFlush(() => void findHosts(hosts, log))
  hearNews({ ...options, ...parts, signal: stopping.signal })
  const [jobs, recorder, server] = [parts.jobs(), parts.recorder(), parts.server()]

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
    async close() {
      const beganAt = performance.now()
      const left = (untilMs: number) => Math.max(untilMs - (performance.now() - beganAt), 0)
      stopping.abort()
      const ends = Promise.all([
        app.server.stop(stopUntilMs.underWay),
        app.jobs.stop(),
        app.remover.close(),
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

/** Damage may show at any time; of the log it is known what the start found. */
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
