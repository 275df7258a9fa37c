import type BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { type News, noNews } from '../news.ts'

/** How often a server looks for what commands changed, in milliseconds. */
const lookMs = 500

/** A number for each topic in `meta`, which whoever changes something raises in the same transaction. */
const keyOf = (topic: string) => `changed ${topic}`

const raise = (value: string) =>
  `insert into meta (key, value) values (${value}, '1') on conflict (key) do update set value = value + 1`

/** The same as PostgreSQL tells by triggers that last. Here they last as long as the connection of the command. */
const told = [
  ['update on links', 'link'],
  ['delete on links', 'link'],
  ['update on short_codes', 'link'],
  ['delete on short_codes', 'link'],
  ['update of plan, links_closed on accounts', 'account'],
  ['delete on accounts', 'account'],
  ['insert on outbox', 'events'],
] as const

/** For a command: a server that runs on the same file hears of what this connection changes, if it is committed. */
export function tellServer(writer: BetterSqlite3.Database): News {
  for (const [number, [change, topic]] of told.entries()) {
    writer.exec(
      `create temp trigger linnet_tell_${number} after ${change} begin ${raise(`'${keyOf(topic)}'`)}; end`,
    )
  }
  return {
    ...noNews,
    async tell(db, topic) {
      await db
        .insertInto('meta')
        .values({ key: keyOf(topic), value: '1' })
        .onConflict(it => it.column('key').doUpdateSet({ value: sql`meta.value + 1` }))
        .execute()
    },
  }
}

/** For a server: hears of what commands changed. What it changes itself, it knows. */
export function hearCommands(reader: BetterSqlite3.Database): News & { close(): void } {
  const select = reader
    .prepare("select key, value from meta where key >= 'changed ' and key < 'changed!'")
    .raw()
  const read = () => new Map(select.all() as [string, string][])
  const listeners = new Map<string, Set<(detail?: string) => void>>()
  let known = read()

  function look(): void {
    let now: typeof known
    try {
      now = read()
    } catch {
      // Health and the log tell of a database that cannot be read.
      return
    }
    const changed = [...now].filter(([key, value]) => known.get(key) !== value)
    known = now
    for (const [key] of changed) for (const listener of listeners.get(key) ?? []) listener()
  }

  const timer = setInterval(look, lookMs).unref()
  return {
    ...noNews,
    on(topic, listener, signal) {
      const all = listeners.get(keyOf(topic)) ?? new Set()
      listeners.set(keyOf(topic), all.add(listener))
      signal?.addEventListener('abort', () => all.delete(listener), { once: true })
    },
    close: () => clearInterval(timer),
  }
}
