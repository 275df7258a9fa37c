import type { Identified } from '../../../plugin/sign-in/provider.ts'
import type { EndedThere } from '../../../plugin/unstable.ts'
import type { Database } from '../../../storage/database.ts'
import { digest } from '../../digest.ts'
import { type Deleting, endSessions } from './sessions.ts'
import { spendOfProvider } from './used-tickets.ts'

/** A session at a provider, by which one here was opened or proven again. */
export interface ProviderSession extends Pick<Identified, 'issuer' | 'subject' | 'session'> {}

/** Note which session at a provider proved a session last: what ends there ends it here. */
export async function noteProvider(
  db: Database,
  id: string,
  { issuer, subject, session }: ProviderSession,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ issuer, subject, provider_session: session ?? null })
    .where('id_hash', '=', digest(id))
    .execute()
}

/**
 * End the sessions that were proven last by somebody at a provider, or by one session there. Of a subject, a session goes with the
 * one there also if the provider did not name that when it opened; so do sign-ins that wait for a second step. False if no session is there.
 */
export async function endOfProvider(
  db: Database,
  ended: EndedThere,
  now: () => Date,
): Promise<boolean> {
  const { issuer, subject, session } = ended
  if (subject === undefined && session === undefined) {
    throw new Error('Say of whom sessions end, or which: subject, session, or both.')
  }
  const of = (all: Deleting) => {
    const theirs = all.where('issuer', '=', issuer)
    if (subject === undefined) return theirs.where('provider_session', '=', session ?? '')
    const own = theirs.where('subject', '=', subject)
    if (session === undefined) return own
    return own.where(({ eb, or }) =>
      or([eb('provider_session', '=', session), eb('provider_session', 'is', null)]),
    )
  }
  const wasOpen = await endSessions(db, of, now)
  // Anybody may make names of sessions up, which are not kept.
  if (wasOpen || subject !== undefined) await spendOfProvider(db, ended, now)
  return wasOpen
}
