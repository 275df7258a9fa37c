import type { Context } from './context.ts'
import type { Event, EventKind } from './event.ts'
import type { Fields } from './fields.ts'
import type { Later } from './outcomes.ts'
import type { Tables } from './plugin-tables.ts'
import type { AddressedLink, UpdatedLink } from './visit.ts'

/**
 * Hooks that run after something was saved, in parallel. A failure is logged and undoes nothing. Time limit: 30 s.
 *
 * @example
 * on: { created: (link, { log, links }) => log.info(`There is ${links.shortUrl(link)}`) }
 */
export interface Listeners<S extends Fields, T, D> {
  /** Runs only for accounts whose plan has the feature. */
  created?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  updated?(link: UpdatedLink, context: Context<S, T, D>): Later<void>
  deleted?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  /** Runs once for each stored batch of visits, with the number of visits of each link. */
  visited?(visits: readonly VisitedLink[], context: Context<S, T, D>): Later<void>
}

/** How often a link was visited. */
export interface VisitedLink {
  /** Its public id. */
  readonly id: string
  /** Row id of the account that owns it. */
  readonly accountId: number
  readonly visits: number
}

/**
 * Work that runs on a schedule.
 *
 * @example
 * jobs: { tidy: { label: 'Tidy up', every: '17 3 * * *', run: ({ store }) => store.delete('old') } }
 */
export interface Job<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Its name for people, such as `Send what waits`. Default: made of its name. */
  readonly label?: string
  /** Five cron fields, in UTC. If runs were missed while the server was off, the job runs once, soon after the start. */
  readonly every: string
  /**
   * True: every server runs it, because it works on what only that server has, such as its files or memory. Default:
   * one of the servers that share a database runs it.
   */
  readonly everywhere?: boolean
  run(context: Context<S, T, D>): Later<void>
}

/**
 * Hears of everything that happens to some kinds of things, in its order: each event is delivered at least once, also if
 * Linnet was killed meanwhile, and by one of several servers. Begins with what happens after the plugin was switched on.
 *
 * @example
 * events: { kinds: ['link'], handle: async (event, { settings, fetch }) => send(event, settings.url, fetch) }
 */
export interface Events<S extends Fields = Fields, T = unknown, D = Tables> {
  readonly kinds: readonly EventKind[]
  /**
   * Called with one event after another. If it fails, the same event comes again after a pause that grows from seconds to an
   * hour, and those behind it wait. If more than 256 MiB wait, the oldest are dropped, and an event `events.lost` comes in their place.
   * Time limit: 30 s.
   */
  handle(event: Event, context: Context<S, T, D>): Later<void>
}
