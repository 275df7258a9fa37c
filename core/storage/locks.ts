/** What only one of the servers on a database does at a time. */
export interface Locks {
  /** Gives what lets go of it, undefined while another has it. A server that ends lets go of all. */
  take(name: string): Promise<(() => Promise<void>) | undefined>
  /** Which of them a server has, whichever that is. */
  taken(names: readonly string[]): Promise<ReadonlySet<string>>
}
