/** Locks for work that only one of the servers on a database does at a time. */
export interface Locks {
  /**
   * Takes a lock and returns a function that releases it; undefined if another server holds it. A server that ends
   * releases all its locks.
   */
  take(name: string): Promise<(() => Promise<void>) | undefined>
  /** Which of these locks are held, by whichever server. */
  taken(names: readonly string[]): Promise<ReadonlySet<string>>
}
