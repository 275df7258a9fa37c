/** Where the programs of a PostgreSQL server are; undefined where there are none. */
export function findPrograms(): string | undefined

/** Makes the files of a server, which others copy where `LINNET_TEST_CLUSTER` names their folder. */
export function makeCluster(programs: string): string

export function startServer(
  programs: string,
  options?: {
    readonly settings?: Readonly<Record<string, string | number>>
    readonly port?: number
  },
): Promise<{
  readonly folder: string
  /** Address of a database; of the one that is always there unless said. */
  url(database?: string): string
  /** SIGINT ends all connections, SIGKILL ends the first process alone. */
  pause(signal?: NodeJS.Signals): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}>
