import { type DeleteQueryBuilder, type Selectable, sql } from 'kysely'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import { currentActor } from '../../../storage/acting.ts'
import { type Database, inTransaction, type Tx } from '../../../storage/database.ts'
import { tell } from '../../../storage/outbox.ts'
import type { Schema, SessionsTable } from '../../../storage/schema.ts'
import type { Account } from '../../account.ts'
import { readAccount } from '../../accounts.ts'
import { digest, randomSecret } from '../../digest.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long a session lasts without being used. */
const idleMs = 7 * dayMs

/** How long a session lasts at most. */
export const sessionMs = 30 * dayMs

/** How many sessions an account has at most: another one ends the one that was used longest ago. */
export const maxSessions = 100

/** How many sessions are looked at, or deleted, in one statement. */
const sessionsAtOnce = 100

/** How the owner of a session was proven to be who they are: words of RFC 8176, such as `pwd` and `otp`. */
export type Methods = readonly string[]

/** By the password alone. */
export const byPassword: Methods = ['pwd']

/**
 * Open a session for somebody who was proven by `methods`, now or at the moment `provenAt`; returns its id, which nobody else
 * knows: the database keeps a digest.
 */
export async function openSession(
  db: Database,
  accountId: number,
  now: () => Date,
  methods: Methods = byPassword,
  provenAt: Date = now(),
): Promise<string> {
  const at = now().getTime()
  const id = randomSecret()
  await inTransaction(db, async tx => {
    await deleteDead(tx, accountId, at)
    await deleteOldest(tx, accountId)
    const row = {
      ...{ id_hash: digest(id), account_id: accountId, created_at: at, seen_at: at },
      methods: JSON.stringify([...new Set(methods)]),
      authenticated_at: provenAt.getTime(),
    }
    await tx.insertInto('sessions').values(row).execute()
    await noteSignIn(tx, accountId, at)
    await tellOfSessions(tx, 'after', [row], now(), byItself)
  })
  return id
}

/** At most once an hour, and also if the clock was set back. */
async function noteSignIn(tx: Tx, accountId: number, at: number): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ signed_in_at: at })
    .where('id', '=', accountId)
    .where(({ or, eb }) =>
      or([
        eb('signed_in_at', 'is', null),
        eb('signed_in_at', '<=', at - hourMs),
        eb('signed_in_at', '>', at),
      ]),
    )
    .execute()
}

interface ReadSession {
  readonly account: Account
  readonly seenAt: Date
  readonly authenticatedAt: Date
  readonly methods: Methods
}

/** The account of a session. Undefined if there is no such session, or if it is over, in which case it is deleted. */
export async function readSession(
  db: Database,
  id: string,
  now: () => Date,
): Promise<ReadSession | undefined> {
  const idHash = digest(id)
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.created_at as opened_at', 'seen_at', 'authenticated_at', 'methods'])
    .where('id_hash', '=', idHash)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const at = now().getTime()
  if (isDead(row.opened_at, row.seen_at, at)) {
    // Deleted at once, so that it stays dead when the clock is set back.
    await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
    return undefined
  }
  return {
    account: readAccount(row),
    seenAt: new Date(row.seen_at),
    authenticatedAt: new Date(row.authenticated_at),
    methods: readMethods(row.methods),
  }
}

/** Note that the owner of a session was proven again. False if the session is over. */
export async function renewSession(
  db: Database,
  id: string,
  methods: Methods,
  now: () => Date,
): Promise<boolean> {
  const found = await readSession(db, id, now)
  if (!found) return false
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      methods: JSON.stringify([...new Set([...found.methods, ...methods])]),
      authenticated_at: now().getTime(),
    })
    .where('id_hash', '=', digest(id))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function readMethods(stored: string): Methods {
  return JSON.parse(stored)
}

/** Note that a session is in use, at most once a minute. */
export async function refreshSession(
  db: Database,
  id: string,
  seenAt: Date,
  now: () => Date,
): Promise<void> {
  const at = now().getTime()
  if (Math.abs(at - seenAt.getTime()) < minuteMs) return
  await db
    .updateTable('sessions')
    .set({ seen_at: at })
    .where('id_hash', '=', digest(id))
    .where('seen_at', '=', seenAt.getTime())
    .execute()
}

/** End one session: sign out. */
export function closeSession(db: Database, id: string, now: () => Date): Promise<boolean> {
  return endSessions(db, all => all.where('id_hash', '=', digest(id)), now, byItself)
}

/** End every session of an account; false when it has none. */
export function closeSessions(db: Database, accountId: number, now: () => Date): Promise<boolean> {
  return endSessions(db, all => all.where('account_id', '=', accountId), now)
}

/** End a session of an account; false when it has none of this id. */
export function endSession(
  db: Database,
  accountId: number,
  id: string,
  now: () => Date,
): Promise<boolean> {
  return endSessions(
    db,
    all => all.where('account_id', '=', accountId).where(shownId, '=', id),
    now,
  )
}

export type Deleting = DeleteQueryBuilder<Schema, 'sessions', unknown>

/** Ends some sessions, and tells of it; false if there are none. */
export function endSessions(
  db: Database,
  which: (all: Deleting) => Deleting,
  now: () => Date,
  by?: typeof byItself,
): Promise<boolean> {
  return inTransaction(db, async tx => {
    const ended = await which(tx.deleteFrom('sessions')).returningAll().execute()
    await tellOfSessions(tx, 'before', ended, now(), by)
    return ended.length > 0
  })
}

/** Whoever signs in or out acts by this session. */
const byItself = 'itself'

/**
 * Writes that an account signed in, or that sessions were ended, if any plugin hears of it. Nobody is told of sessions that
 * are over by themselves.
 */
function tellOfSessions(
  tx: Tx,
  when: 'before' | 'after',
  rows: readonly Pick<
    Selectable<SessionsTable>,
    'id_hash' | 'account_id' | 'created_at' | 'methods'
  >[],
  at: Date,
  by?: typeof byItself,
): Promise<void> {
  return tell(
    tx,
    'session',
    at,
    rows,
    ({ id_hash, account_id: accountId, created_at, methods }) => {
      const createdAt = new Date(created_at).toISOString()
      const shown = { id: idOf(id_hash), methods: readMethods(methods), createdAt }
      const who = { kind: 'account', accountId, by: 'session', credential: shown.id } as const
      const { address } = currentActor()
      const actor = { ...who, ...(address && { address }) }
      return { accountId, [when]: shown, ...(by && { actor }) }
    },
  )
}

/** Delete everybody's sessions that are over, some at a time: nobody may ever come back to them. */
export async function forgetDeadSessions(db: Database, now: () => Date): Promise<void> {
  const at = now().getTime()
  for (let after = ''; ; ) {
    await yieldToRedirects()
    const next = await db
      .selectFrom('sessions')
      .select('id_hash')
      .where('id_hash', '>', after)
      .orderBy('id_hash')
      .limit(sessionsAtOnce)
      .execute()
    const last = next.at(-1)?.id_hash
    if (last === undefined) return
    await dead(db, at).where('id_hash', '>', after).where('id_hash', '<=', last).execute()
    after = last
  }
}

/** If the clock was set back, a moment ahead of it counts like one as far behind it. */
function isDead(openedAt: number, seenAt: number, at: number): boolean {
  return Math.abs(at - openedAt) > sessionMs || Math.abs(at - seenAt) > idleMs
}

async function deleteDead(db: Database, accountId: number, at: number): Promise<void> {
  await dead(db, at).where('account_id', '=', accountId).execute()
}

/** Makes room for one more, which is the newest whatever the clock says. */
async function deleteOldest(db: Database, accountId: number): Promise<void> {
  const mine = db.selectFrom('sessions').select('id_hash').where('account_id', '=', accountId)
  const kept = mine
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(maxSessions - 1)
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id_hash', 'not in', kept)
    .execute()
}

function dead(db: Database, at: number) {
  return db
    .deleteFrom('sessions')
    .where(({ or, eb }) =>
      or([eb('created_at', '<', at - sessionMs), eb('seen_at', '<', at - idleMs)]),
    )
}

/** A session as its owner sees it. Which browser it belongs to is not stored. */
interface OwnSession {
  readonly id: string
  readonly createdAt: Date
  readonly methods: Methods
  readonly authenticatedAt: Date
  /** When it was last used, to the minute. */
  readonly lastSeenAt: Date
}

/** The sessions of an account that are not over, newest first. */
export async function listSessions(
  db: Database,
  accountId: number,
  now: () => Date,
): Promise<readonly OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()
  const at = now().getTime()
  return rows
    .filter(row => !isDead(row.created_at, row.seen_at, at))
    .map(row => ({
      id: idOf(row.id_hash),
      createdAt: new Date(row.created_at),
      methods: readMethods(row.methods),
      authenticatedAt: new Date(row.authenticated_at),
      lastSeenAt: new Date(row.seen_at),
    }))
}

/** The public id of the session that a cookie holds. */
export function sessionId(cookie: string): string {
  return idOf(digest(cookie))
}

/** The row of a session of an account, by its public id. Nobody else ends the session before the transaction is over. */
export function rowOfSession(
  tx: Tx,
  accountId: number,
  id: string,
): Promise<{ readonly id_hash: string } | undefined> {
  return tx
    .updateTable('sessions')
    .set({ account_id: accountId })
    .where('account_id', '=', accountId)
    .where(shownId, '=', id)
    .returning('id_hash')
    .executeTakeFirst()
}

/** A part of the digest: enough to tell sessions apart, but it opens none. */
function idOf(idHash: string): string {
  return `ses_${idHash.slice(0, 24)}`
}

/** The same in the database. */
const shownId = sql<string>`'ses_' || substr(id_hash, 1, 24)`
