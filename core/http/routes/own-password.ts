import { z } from 'zod'
import { newPassword } from '../../accounts/account-fields.ts'
import { changePassword } from '../../accounts/change-password.ts'
import { openSession } from '../../accounts/sessions.ts'
import { isRefusal } from '../../outcomes.ts'
import type { Database } from '../../storage/database.ts'
import { type Throttle, tooManyRequests } from '../../throttle.ts'
import { type Route, route } from '../route.ts'
import type { SessionCookie } from '../session-cookie.ts'

/** Tries a minute for one account, wherever they come from. */
const maxTries = 10

/**
 * The caller's own password. A token that allows everything may change it too, for it must know the
 * present one. It is a `PATCH`, as repeats of a `POST` are told by a digest of what was sent.
 */
export function ownPasswordRoutes({
  db,
  now,
  throttle,
  cookie,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly throttle: Throttle
  readonly cookie: SessionCookie
}): readonly Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/profile/password',
      name: 'profile.password',
      group: 'Profile',
      summary: 'Change your password, and end all other sessions',
      scope: '*',
      body: z.strictObject({
        currentPassword: z
          .string()
          .max(1_000)
          .nullable()
          .optional()
          .meta({ description: 'Null for an account that has no password yet.' }),
        newPassword,
      }),
      status: 204,
      problems: [409],
      async handle({ caller, body }) {
        const verdict = await throttle(`own password ${caller.accountId}`, maxTries, 60)
        if (!verdict.allowed) return tooManyRequests(verdict)
        const change = { current: body.currentPassword ?? null, password: body.newPassword }
        const changed = await changePassword(db, caller, change, now)
        if (isRefusal(changed)) return changed
        if (caller.credential !== 'session') return {}
        const session = await openSession(db, caller.accountId, now)
        return { headers: { 'Set-Cookie': cookie.keep(session) } }
      },
    }),
  ]
}
