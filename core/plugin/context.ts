import type { Kysely } from 'kysely'
import type { Fields, Settings } from '../fields.ts'
import type { Caller, TokenKeeper } from './tokens.ts'
import type { LinkView } from './visit.ts'

/** All that a hook can reach. Nothing else is in reach, on purpose. */
export interface Context<S extends Fields = Fields, T = unknown> {
  readonly settings: Settings<S>
  readonly state: T
  /** The plugin's own tables; naming another table throws. */
  readonly db: Kysely<Tables>
  readonly log: Log
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
  readonly links: LinkReader
  readonly tokens: TokenKeeper
  now(): Date
  /** True while `key` has been used at most `max` times in the last `seconds`. */
  throttle(key: string, max: number, seconds: number): Promise<boolean>
}

export interface Log {
  info(message: string, details?: object): void
  warn(message: string, details?: object): void
  error(message: string, details?: object): void
}

/** Links, for reading. */
export interface LinkReader {
  find(id: string): Promise<LinkView | undefined>
  /** A link of the caller's; undefined for other people's. */
  findOwn(caller: Caller, id: string): Promise<LinkView | undefined>
  /** Codes that a link had before and that still lead to it, oldest first, by row. */
  formerCodes(links: readonly LinkView[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** The whole short URL of a link. */
  shortUrl(link: LinkView): string
  /** Give a link a title if it has none; for what is found out later. */
  nameLink(link: LinkView, title: string): Promise<void>
  /** Forget what was compiled for a link, so that its next visit asks the plugins again. */
  recompile(id: string): void
}

/** A plugin's own tables; the plugin knows their columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the plugin knows its tables
export type Tables = any
