import type { Tally } from '../../limits/share-throttle.ts'
import type { Clients } from './postgres-clients.ts'

/**
 * A window that ends later than one that begins now is of a clock of the database that was ahead. The minute is for what
 * waited for a lock.
 */
const isOpen = `limit_uses.ends_at > clock_timestamp() and limit_uses.ends_at < excluded.ends_at + interval '1 minute'`

/**
 * Uses the clock of the database. Rows are locked in the order of keys, so that servers never deadlock; no other
 * writer waits either.
 */
const add = `
  with asked as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as asked(key, seconds, uses) order by key
  )
  insert into limit_uses (key, uses, ends_at)
  select key, uses, clock_timestamp() + seconds * interval '1 second' from asked
  on conflict (key) do update set
    uses = excluded.uses + case when ${isOpen} then limit_uses.uses else 0 end,
    ends_at = case when ${isOpen} then limit_uses.ends_at else excluded.ends_at end
  returning key, uses, ceil(extract(epoch from ends_at - clock_timestamp()) * 1000)::bigint as ms_left`

/** Removes expired rows, at most this many with each statement. */
const removeOver = `
  delete from limit_uses where key in (
    select key from limit_uses where ends_at < clock_timestamp() limit 1000 for update skip locked)`

const sweepMs = 60_000

export function createTally(clients: Clients): Tally {
  let sweptAt = performance.now()

  return async all => {
    const parameters = [
      all.map(({ key }) => key),
      all.map(({ seconds }) => Math.ceil(seconds)),
      all.map(({ uses }) => uses),
    ]
    const { rows } = await clients.read({ sql: add, parameters })
    if (performance.now() - sweptAt > sweepMs) {
      sweptAt = performance.now()
      await clients.read({ sql: removeOver, parameters: [] })
    }
    const tallied = new Map(
      rows.map(({ key, uses, ms_left }) => [key, { uses: Number(uses), msLeft: Number(ms_left) }]),
    )
    return all.map(
      ({ key, uses, seconds }) => tallied.get(key) ?? { uses, msLeft: seconds * 1_000 },
    )
  }
}
