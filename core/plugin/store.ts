import type { Json } from './fields.ts'

/**
 * A few values by key, for what is too little for tables of its own. Where `context.db` is a transaction it is in it
 * too. Purging the plugin removes them.
 *
 * @example
 * await store.set('greeting', { text: 'Hello' })
 * await store.get('greeting') // { text: 'Hello' }
 */
export interface Store {
  /** Undefined when there is none. */
  get(key: string): Promise<Json | undefined>
  /**
   * Keep a value in place of the one before. Throws for a key of more than 200 characters or none, for a value of
   * more than 64 KiB as JSON, and when there are 10,000 others.
   */
  set(key: string, value: Json): Promise<void>
  /** Whether there was one. */
  delete(key: string): Promise<boolean>
  /** At most 100 whose keys begin so, by key; `after` goes on behind a key. */
  list(prefix?: string, after?: string): Promise<readonly StoreEntry[]>
}

export interface StoreEntry {
  readonly key: string
  readonly value: Json
}
