import type { Refusal } from '../../plugin/outcomes.ts'
import type {
  Context,
  Guess,
  HostKeeper,
  Links,
  Log,
  Numbers,
  NumbersOf,
  Plugin,
  TokenKeeper,
} from '../../plugin.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { boundLog } from '../contain/bound-log.ts'
import { ownTables } from './own-tables.ts'
import type { NewsOfPlugin } from './plugin-news.ts'
import { createStore } from './plugin-store.ts'

/** What is the same in the context of every plugin. */
type Shared = Pick<
  Context,
  'places' | 'fetch' | 'resolveTxt' | 'hasNumbers' | 'brand' | 'imagineVisit' | 'now' | 'measure'
>

/** What plugins can use, provided by the rest of the core. */
export interface Services extends Shared {
  readonly db: Database
  readonly log: Log
  readonly signal: AbortSignal
  /** Links as the plugin of a feature may use them; `db` may be a transaction. */
  links(feature: string, db: Database): Links
  /** Blocks made with it last until `unblockHosts` is called with the same `life`. */
  hosts(life: AbortController): HostKeeper
  unblockHosts(life: AbortController): void
  /** Messages between the copies of a plugin on several servers. */
  news(feature: string, life: AbortController): NewsOfPlugin
  tokens(db: Database): TokenKeeper
  /** Reads analytics of accounts that may use the plugin of a feature. */
  readNumbers(feature: string, of: NumbersOf): Promise<Numbers | undefined>
  isOn(feature: string): boolean
  throttle(key: string, max: number, seconds: number): Promise<boolean>
  guess(feature: string, guess: Guess, isRight: () => Promise<boolean>): Promise<boolean | Refusal>
}

/**
 * The context of a plugin before `setup`. `life` is aborted when the plugin is switched off; `heed` is called for each line
 * that it logs.
 */
export function createContext(
  plugin: Plugin,
  services: Services,
  settings: Readonly<Record<string, unknown>>,
  life: AbortController,
  heed: () => void,
): Context {
  const { feature } = plugin
  const { tell, on } = services.news(feature, life)
  const { places, fetch, resolveTxt, hasNumbers, brand, imagineVisit, now, measure } = services
  return {
    ...{ places, fetch, resolveTxt, hasNumbers, brand, imagineVisit, now, measure },
    settings: settings as Context['settings'],
    state: undefined,
    ...reachThrough(services.db, feature, services),
    log: boundLog(named(services.log, feature, heed), feature),
    signal: life.signal,
    hosts: services.hosts(life),
    news: { on, tell: what => tell(services.db, what) },
    readNumbers: of => services.readNumbers(feature, of),
    isOn: () => services.isOn(feature),
    throttle: (key, max, seconds) => services.throttle(`${feature} ${key}`, max, seconds),
    guess: (guess, isRight) => services.guess(feature, guess, isRight),
  }
}

/** The same context with all its reads and writes in a transaction, so that it never waits for that transaction. */
export function contextWithin(
  tx: Tx,
  context: Context,
  { feature }: Plugin,
  services: Pick<Services, 'links' | 'tokens'>,
): Context {
  return { ...context, ...reachThrough(tx, feature, services) }
}

function reachThrough(
  db: Database,
  feature: string,
  { links, tokens }: Pick<Services, 'links' | 'tokens'>,
): Pick<Context, 'db' | 'store' | 'links' | 'tokens'> {
  return {
    db: ownTables(db, feature),
    store: createStore(db, feature),
    links: links(feature, db),
    tokens: tokens(db),
  }
}

function named(log: Log, feature: string, heed: () => void): Log {
  const write =
    (level: keyof Log): Log['info'] =>
    (message, details) => {
      heed()
      log[level](message, { ...details, feature })
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
