import type { Context, Fetch, LinkReader, Log, Plugin, TokenKeeper } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { ownTables } from './own-tables.ts'

/** What the kernel lends to plugins. */
export interface Services {
  readonly db: Database
  readonly log: Log
  readonly signal: AbortSignal
  /** Links as the plugin of a feature may reach them. */
  links(feature: string): LinkReader
  readonly tokens: TokenKeeper
  readonly fetch: Fetch
  readonly imagineVisit: Context['imagineVisit']
  isOn(feature: string): boolean
  now(): Date
  throttle(key: string, max: number, seconds: number): Promise<boolean>
}

/** One plugin's view of the house, before its set-up. */
export function createContext(
  plugin: Plugin,
  services: Services,
  settings: Readonly<Record<string, unknown>>,
): Context {
  const { feature } = plugin
  return {
    settings: settings as Context['settings'],
    state: undefined,
    db: ownTables(services.db, feature),
    log: named(services.log, feature),
    signal: services.signal,
    links: services.links(feature),
    tokens: services.tokens,
    fetch: services.fetch,
    imagineVisit: services.imagineVisit,
    isOn: () => services.isOn(feature),
    now: services.now,
    throttle: (key, max, seconds) => services.throttle(`${feature} ${key}`, max, seconds),
  }
}

function named(log: Log, feature: string): Log {
  const write =
    (level: keyof Log): Log['info'] =>
    (message, details) =>
      log[level](message, { ...details, feature })
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
