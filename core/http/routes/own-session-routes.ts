import { z } from 'zod'
import { endSession, listSessions, sessionId } from '../../accounts/access/sessions.ts'
import { refuse } from '../../plugin/outcomes.ts'
import { type Route, route } from '../api/route/route.ts'
import type { ProfileDeps } from './profile-routes.ts'

const sessionSchema = z.strictObject({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().meta({ description: 'When it was last used, to the minute.' }),
  isCurrent: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
})

const shared = { group: 'Session', scope: '*' } as const

const sessionsAnswer = z.strictObject({ data: z.array(sessionSchema) })

/** Where the caller is signed in. Browsers are not named: no user agent is ever kept. */
export function ownSessionRoutes({ db, now }: Pick<ProfileDeps, 'db' | 'now'>): readonly Route[] {
  return [
    route('GET /sessions', {
      ...shared,
      name: 'sessions.list',
      summary: 'List your sessions, newest first',
      answer: sessionsAnswer,
      async handle({ caller, session }) {
        const isBySession = caller.credential === 'session' && session !== undefined
        const current = isBySession ? sessionId(session) : undefined
        const sessions = await listSessions(db, caller.accountId, now)
        const data = sessions.map(({ id, createdAt, lastSeenAt }) => ({
          id,
          createdAt: createdAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
          isCurrent: id === current,
        }))
        return { body: { data } }
      },
    }),
    route('DELETE /sessions/:id', {
      ...shared,
      name: 'sessions.destroy',
      summary: 'End one of your sessions',
      status: 204,
      async handle({ caller, params: { id = '' } }) {
        const ended = await endSession(db, caller.accountId, id)
        return ended ? {} : refuse('not_found', 'You do not have this session.', 404)
      },
    }),
  ]
}
