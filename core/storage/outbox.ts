import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { compileOnce, type Places } from '../lib/compile-once.ts'
import { networkOfAddress } from '../lib/net/client-key.ts'
import type { Actor, Event } from '../plugin/event.ts'
import { type Acting, currentActor } from './acting.ts'
import {
  type Database,
  inTransaction,
  inUnflushedTransaction,
  type Tx,
  whenVisible,
} from './database.ts'
import { asJson, type Columns, namesOf, rowsOf } from './json-rows.ts'
import { addMeta, readMeta } from './meta.ts'

type Shown = NonNullable<Event['after']>

/** What happened to a thing, before it is written. */
export interface NewEvent {
  /** Default: `created` or `deleted` if it was not there before or is no more, and else `updated`. */
  readonly what?: string
  readonly accountId: number | null
  readonly before?: Shown | null | undefined
  readonly after?: Shown | null | undefined
  /** Default: the names of what differs before and after. */
  readonly changed?: readonly string[] | undefined
  /** Default: who acts now. */
  readonly actor?: Actor | undefined
}

/** Who listens to a database, as far as this process knows. */
interface Hearing {
  kinds: ReadonlySet<string>
  /** How much of addresses of clients plugins may have, by feature: `whole`, `network`, or else nothing. */
  addresses: ReadonlyMap<string, unknown>
  wake(): void
}

/** By what a database and all its transactions have in common. */
const hearings = new WeakMap<object, Hearing>()

function hearingOf(db: Pick<Kysely<never>, 'getExecutor'>): Hearing {
  const { adapter } = db.getExecutor()
  const nobody = { kinds: new Set<string>(), addresses: new Map(), wake: () => undefined }
  const known = hearings.get(adapter) ?? nobody
  hearings.set(adapter, known)
  return known
}

/** In place of the names of kinds: all that there are, and will be. */
const everyKind = '*'

/** Whether any plugin hears of a kind of thing. If not, nothing needs to be told. */
export function isHeard(db: Database, kind: string): boolean {
  const { kinds } = hearingOf(db)
  return kinds.has(kind) || kinds.has(everyKind)
}

/** How many events are written with one statement. */
const atOnce = 500

/** Writes events of one kind in the transaction of what they tell, once for each plugin that hears of this kind. */
export async function tell<T>(
  tx: Tx,
  kind: string,
  at: Date,
  things: readonly T[],
  show: (thing: T) => NewEvent,
): Promise<void> {
  if (!isHeard(tx, kind) || things.length === 0) return
  const listeners = (await readListeners(tx)).filter(
    ({ kinds }) => kinds.includes(kind) || kinds.includes(everyKind),
  )
  const rows = things.flatMap(thing => {
    const event = eventOf(kind, at, show(thing))
    return listeners.map(({ feature }) => ({
      feature,
      event: JSON.stringify(eventFor(feature, event, tx)),
    }))
  })
  if (rows.length === 0) return
  for (let from = 0; from < rows.length; from += atOnce) {
    await insert(tx, { given: asJson(rows.slice(from, from + atOnce), columns) })
  }
  await whenVisible(tx, () => hearingOf(tx).wake())
}

/** An event as it waits. */
export function eventOf(
  kind: string,
  at: Date,
  { before = null, after = null, ...event }: NewEvent,
): Event {
  const { what = before ? (after ? 'updated' : 'deleted') : 'created' } = event
  return {
    id: `evt_${randomUUID()}`,
    type: `${kind}.${what}`,
    at: at.toISOString(),
    accountId: event.accountId,
    actor: event.actor ?? currentActor(),
    before,
    after,
    changed: event.changed ?? differing(before, after),
  }
}

/** An event with as much of the address of the client as a plugin may have. */
function eventFor(feature: string, event: Event, db: Database | Tx): Event {
  const { address, ...actor } = event.actor
  const detail = hearingOf(db).addresses.get(feature)
  if (!address || (detail !== 'whole' && detail !== 'network')) return { ...event, actor }
  const kept = detail === 'whole' ? address : networkOfAddress(address)
  return { ...event, actor: { ...actor, address: kept } }
}

/** The names of what has another value now; none if one of the two is missing. */
export function differing(before: Event['before'], after: Event['after']): readonly string[] {
  if (!before || !after) return []
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => !isDeepStrictEqual(before[name], after[name]))
}

const columns: Columns<'feature' | 'event'> = { texts: ['feature', 'event'], numbers: [] }

const insert = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db.insertInto('outbox').columns(namesOf(columns)).expression(rowsOf(given, columns)),
)

/** A plugin that hears of events, and how it fares. */
export interface Listener {
  readonly feature: string
  readonly kinds: readonly string[]
  /** How often it failed of the event that is next, since it last took one. */
  readonly failures: number
  readonly problem: string | null
  /** When a server last said that it is on. */
  readonly seenAt: Date
}

export async function readListeners(db: Database): Promise<readonly Listener[]> {
  const rows = await db.selectFrom('event_listeners').selectAll().orderBy('feature').execute()
  return rows.map(({ kinds, seen_at, ...row }) => ({
    ...row,
    kinds: JSON.parse(kinds) as string[],
    seenAt: new Date(seen_at),
  }))
}

/** Learns who listens. Whoever writes to a database must have done so, or its events are lost. */
export async function learnListeners(db: Database): Promise<void> {
  const listeners = await readListeners(db)
  hearingOf(db).kinds = new Set(listeners.flatMap(({ kinds }) => kinds))
}

/** Says what plugins may have of addresses of clients in what this process writes: at first nothing. */
export function setAddresses(db: Database, addresses: Hearing['addresses']): void {
  hearingOf(db).addresses = addresses
}

/** Calls `wake` whenever this process wrote events that everybody can see now. */
export function onTold(db: Database, wake: () => void): void {
  hearingOf(db).wake = wake
}

/** Whom to tell of which kinds of things; without them, of those that the plugin chose last, which are none at first. */
export interface Hears {
  readonly feature: string
  readonly kinds?: readonly string[] | undefined
}

/** Lets plugins hear from now on of these kinds of things, and others named in `gone` no longer. */
export async function setListeners(
  db: Database,
  listeners: readonly Hears[],
  gone: readonly string[],
  at: Date,
): Promise<void> {
  const known = new Map((await readListeners(db)).map(it => [it.feature, it]))
  const leaving = gone.filter(feature => known.has(feature))
  const changed = listeners
    .map(({ feature, kinds = known.get(feature)?.kinds ?? [] }) => ({ feature, kinds }))
    .filter(({ feature, kinds }) => !isDeepStrictEqual(known.get(feature)?.kinds, kinds))
  if (leaving.length > 0 || changed.length > 0) {
    await inTransaction(db, async tx => {
      for (const feature of leaving) await dropListener(tx, feature)
      for (const one of changed) await putListener(tx, one, at)
    })
  }
  await learnListeners(db)
}

async function putListener(tx: Tx, one: Required<Hears>, at: Date): Promise<void> {
  const kinds = JSON.stringify(one.kinds)
  await tx
    .insertInto('event_listeners')
    .values({ feature: one.feature, kinds, failures: 0, problem: null, seen_at: at.getTime() })
    .onConflict(conflict => conflict.column('feature').doUpdateSet({ kinds }))
    .execute()
}

/**
 * Lets a plugin hear of these kinds of things alone. What this process writes once the transaction is over is told; other servers
 * learn of it soon after.
 */
export async function chooseKinds(db: Database, one: Required<Hears>, at: Date): Promise<void> {
  const isKnown = async (db: Database | Tx) =>
    (await readListeners(db)).some(
      ({ feature, kinds }) => feature === one.feature && isDeepStrictEqual(kinds, one.kinds),
    )
  // A plugin says so at each start, which a full disk must not prevent.
  if (await isKnown(db)) return
  await inTransaction(db, async tx => {
    if (await isKnown(tx)) return
    await putListener(tx, one, at)
    const kinds = new Set((await readListeners(tx)).flatMap(it => it.kinds))
    await whenVisible(tx, () => {
      hearingOf(tx).kinds = kinds
    })
  })
}

/** Says that plugins are on. */
export async function seeListeners(
  db: Database,
  features: readonly string[],
  at: Date,
): Promise<void> {
  if (features.length === 0) return
  await db
    .updateTable('event_listeners')
    .set({ seen_at: at.getTime() })
    .where('feature', 'in', [...features])
    .execute()
}

/** Removes listeners that no server has had since a moment. */
export async function dropUnseen(db: Database, since: Date): Promise<void> {
  const unseen = (await readListeners(db)).filter(({ seenAt }) => seenAt < since)
  for (const { feature } of unseen) await inTransaction(db, tx => dropListener(tx, feature))
  await learnListeners(db)
}

/** Removes a listener and all that waits for it. */
export async function dropListener(tx: Tx, feature: string): Promise<void> {
  await tx.deleteFrom('event_listeners').where('feature', '=', feature).execute()
  await tx.deleteFrom('outbox').where('feature', '=', feature).execute()
}

/** An event that waits for a plugin. */
export interface Waiting {
  readonly id: number
  readonly chain: Acting['chain']
  readonly event: Event
}

/**
 * The next events for a plugin, in their order, once they are on the disk: what a power cut can still undo must not be
 * told to anybody.
 */
export async function nextEvents(
  db: Database,
  feature: string,
  most: number,
): Promise<readonly Waiting[]> {
  const next = (at: Database) =>
    at.selectFrom('outbox').select(['id', 'event']).where('feature', '=', feature).orderBy('id')
  if (!(await next(db).limit(1).executeTakeFirst())) return []
  const rows = await inTransaction(db, async tx => {
    // A write, because the flush that makes it durable covers all that was committed before.
    await tx
      .updateTable('event_listeners')
      .set(({ ref }) => ({ failures: ref('failures') }))
      .where('feature', '=', feature)
      .execute()
    return next(tx).limit(most).execute()
  })
  // It may have been written when the plugin might have more.
  return rows.map(({ id, event }) => {
    const told: Event & { readonly actor: Acting } = JSON.parse(event)
    const { chain, ...actor } = told.actor
    return { id, chain, event: eventFor(feature, { ...told, actor }, db) }
  })
}

/** Removes events that a plugin had, and notes how it fares. A power cut may undo it: then they come again. */
export async function settleEvents(
  db: Database,
  feature: string,
  had: readonly number[],
  { failures, problem }: Pick<Listener, 'failures' | 'problem'>,
): Promise<void> {
  await inUnflushedTransaction(db, async tx => {
    if (had.length > 0)
      await tx
        .deleteFrom('outbox')
        .where('id', 'in', [...had])
        .execute()
    await tx
      .updateTable('event_listeners')
      .set({ failures, problem })
      .where('feature', '=', feature)
      .execute()
  })
}

/**
 * Tells of what is kept elsewhere than in the database, such as settings in a file, by comparing it with what was told
 * last. So a change is told of later if this process is killed before it could, and by one of several servers.
 */
export async function tellOfState(
  db: Database,
  kind: string,
  at: Date,
  state: Shown,
): Promise<void> {
  const key = `told ${kind}`
  const text = JSON.stringify(state)
  await inTransaction(db, async tx => {
    const told = await readMeta(tx, key)
    if (told === text) return
    if (told === undefined) return void (await addMeta(tx, key, text))
    const { numUpdatedRows } = await tx
      .updateTable('meta')
      .set({ value: text })
      .where('key', '=', key)
      .where('value', '=', told)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const before = JSON.parse(told) as Shown
    if (differing(before, state).length === 0) return
    await tell(tx, kind, at, [before], before => ({ accountId: null, before, after: state }))
  })
}
