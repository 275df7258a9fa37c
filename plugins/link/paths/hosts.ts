import type { Context, Fields, Migration } from '../../../core/plugin.ts'

const table = 'link_paths_hosts'

export interface Tables {
  [table]: { host: string }
}

/**
 * The hosts on which some link has, or once had, paths, in memory: on all others nothing is asked about a path without a link. One
 * too many costs little, and one too few would lose visitors, so none is taken out.
 */
export interface PathHosts {
  has(host: string): boolean
  /** Notes a host; empty for that of the base URL. */
  note(host: string): Promise<void>
}

export const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('host', 'varchar(253)', c => c.primaryKey())
    .execute()
}

export async function openHosts({
  db,
  news,
}: Pick<Context<Fields, undefined, Tables>, 'db' | 'news'>): Promise<PathHosts> {
  const known = new Set<string>()
  const read = async () => {
    for (const { host } of await db.selectFrom(table).select('host').execute()) known.add(host)
  }
  // First: what others note while the table is read is heard of.
  news.on(read)
  await read()
  return {
    has: host => known.has(host),
    async note(host) {
      if (known.has(host)) return
      await db
        .insertInto(table)
        .values({ host })
        .onConflict(it => it.doNothing())
        .execute()
      known.add(host)
      await news.tell()
    },
  }
}
