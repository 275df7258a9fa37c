import type { Ticket } from '../../../lib/tickets.ts'
import type { Identified } from '../../../plugin/sign-in/provider.ts'
import type { EndedThere } from '../../../plugin/unstable.ts'
import type { Database } from '../../../storage/database.ts'
import { digest } from '../../digest.ts'

const dayMs = 86_400_000

const forgottenAtOnce = 64

/** How long somebody may take for a second step. */
export const stepMs = 5 * 60_000

/** Use up a ticket, on whichever server. False if it was used before. */
export async function spendTicket(
  db: Database,
  { id, endsAt }: Pick<Ticket<unknown>, 'id' | 'endsAt'>,
  now: () => Date,
): Promise<boolean> {
  await forgetSome(db, now().getTime())
  const row = await db
    .insertInto('used_tickets')
    .values({ id, ends_at: endsAt })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets more than were used up just now, and never so many that redirects wait for it. */
async function forgetSome(db: Database, at: number): Promise<void> {
  const ids = db
    .selectFrom('used_tickets')
    .select('id')
    // A day longer than they work, in case the clock is set back.
    .where('ends_at', '<', at - dayMs)
    .orderBy('ends_at')
    .limit(forgottenAtOnce)
  await db.deleteFrom('used_tickets').where('id', 'in', ids).execute()
}

/** Whether a ticket was used up already. */
export async function isSpent(db: Database, { id }: Pick<Ticket<unknown>, 'id'>): Promise<boolean> {
  const row = await db
    .selectFrom('used_tickets')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Use up the tickets for a second step of those whose session at a provider ended. */
export async function spendOfProvider(db: Database, ended: EndedThere, now: () => Date) {
  const ends_at = now().getTime() + stepMs
  // With a session there, those of the subject go that the provider gave no name.
  const all = ended.subject && ended.session ? [ended, { ...ended, session: '' }] : [ended]
  await db
    .insertInto('used_tickets')
    .values(all.map(it => ({ id: nameOf(it), ends_at })))
    .onConflict(conflict => conflict.column('id').doUpdateSet({ ends_at }))
    .execute()
}

/** Whether what proved the owner of a ticket has ended at the provider since the ticket was made. */
export async function isOverThere(
  db: Database,
  { issuer, subject, session = '' }: Pick<Identified, 'issuer' | 'subject' | 'session'>,
  endsAt: number,
): Promise<boolean> {
  const ways = [{ subject }, { session }, { subject, session }]
  const row = await db
    .selectFrom('used_tickets')
    .select('id')
    .where(
      'id',
      'in',
      ways.map(way => nameOf({ issuer, ...way })),
    )
    .where('ends_at', '>=', endsAt)
    .executeTakeFirst()
  return row !== undefined
}

function nameOf({ issuer, subject, session }: EndedThere): string {
  return `ended ${digest(JSON.stringify([issuer, subject ?? null, session ?? null]))}`
}
