import type BetterSqlite3 from 'better-sqlite3'
import type { FoundLink, Storage } from '../database.ts'
import type { Damage } from '../files/damage.ts'

/** Reads the first row of each table that following a link reads, in the order in which it reads them. */
export const followed = [
  'select value from meta limit 1',
  'select * from short_codes order by domain, code limit 1',
  'select * from links order by id limit 1',
  'select * from accounts order by id limit 1',
]

/** Separate from the link itself, so that it is quick to find out that there is no such code. */
const codeSql = `
  select link_id from short_codes where domain = ? and code = ? and link_id is not null`

/** The plus lets SQLite plan it only once: see the query compiler of `sqliteDialect`. */
const linkSql = `
  select links.id, account_id, domain, short_code, original_url, fields, guarded_by, version, plan, links_closed
  from links
  join accounts on accounts.id = account_id
  where links.id = +?`

/** A requested code, and its host. */
export interface AskedCode {
  readonly domain: string
  readonly code: string
}

interface Waiting extends AskedCode, PromiseWithResolvers<FoundLink | undefined> {}

type Found = readonly (FoundLink | undefined)[]

/**
 * Looks up together the codes that are requested in one turn of the event loop, and those that wait because `atOnce`
 * look-ups are under way: a database may be far away. `findAll` answers in their order.
 */
export function findLinksTogether(
  findAll: (asked: readonly AskedCode[]) => Found | Promise<Found>,
  atOnce = 1,
): Storage['findLink'] {
  const waiting: Waiting[] = []
  let underWay = 0

  async function answer(): Promise<void> {
    if (underWay === atOnce || waiting.length === 0) return
    const all = waiting.splice(0, mostTogether)
    underWay += 1
    void answer()
    try {
      const found = await findAll(all)
      for (const [index, { resolve }] of all.entries()) resolve(found[index])
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
    underWay -= 1
    void answer()
  }

  return (domain, code) => {
    const asked: Waiting = { ...Promise.withResolvers(), domain, code }
    if (waiting.length === 0) setImmediate(answer)
    waiting.push(asked)
    return asked.promise
  }
}

/** So few that a database with a slow disk reads them in the time that a redirect has. */
const mostTogether = 256

/**
 * Creates the function that finds the link for a code. It looks up codes together, because a separate read spends
 * most of its time on locking and unlocking the log.
 */
export function createFindLink(
  reader: BetterSqlite3.Database,
  damage: Damage,
): Storage['findLink'] {
  const idOf = reader.prepare<[string, string], number>(codeSql).pluck()
  const linkOf = reader.prepare<[number], FoundLink>(linkSql)
  const findAll = reader.transaction((all: readonly AskedCode[]) =>
    all.map(({ domain, code }) => {
      const id = idOf.get(domain, code)
      return id === undefined ? undefined : linkOf.get(id)
    }),
  )
  return findLinksTogether(all => damage.watch(() => findAll(all)))
}
