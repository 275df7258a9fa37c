import type { Context, LinkReader, Log, Plugin, TokenKeeper } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { ownTables } from './own-tables.ts'

/** What the kernel lends to plugins. */
export interface Services {
  readonly db: Database
  readonly log: Log
  readonly signal: AbortSignal
  readonly links: LinkReader
  readonly tokens: TokenKeeper
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
    links: services.links,
    tokens: services.tokens,
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
