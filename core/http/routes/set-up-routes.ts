import { z } from 'zod'
import { openSession } from '../../accounts/access/sessions.ts'
import type { SetUp } from '../../accounts/access/set-up.ts'
import { email, fullName, newPassword } from '../../accounts/account-fields.ts'
import { clientKey } from '../../lib/net/client-key.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import type { SessionCookie } from '../api/access/session-cookie.ts'
import { type Route, route } from '../api/route/route.ts'
import { type ProfileDeps, readProfile } from './profile-routes.ts'

export interface SetUpDeps extends ProfileDeps {
  readonly setUp: SetUp
  readonly cookie: SessionCookie
}

const firstAdmin = z.strictObject({
  code: z.string().max(100).meta({ description: 'The one-time code from the log.' }),
  email,
  password: newPassword,
  fullName: fullName.nullable().optional(),
})

/** The first run of an instance. */
export function setUpRoutes(deps: SetUpDeps): readonly Route[] {
  return [
    route('POST /setup', {
      name: 'setup.create',
      group: 'Session',
      summary: 'Create the first admin and sign in',
      scope: 'anyone',
      body: firstAdmin,
      answer: deps.answer,
      status: 201,
      problems: [404],
      rateLimit: ({ ip }) => deps.setUp.left(clientKey(ip)),
      async handle({ ip, body: { code, fullName = null, ...admin } }) {
        const account = await deps.setUp.setUpFirstAdmin(
          code,
          { ...admin, fullName },
          clientKey(ip),
        )
        if (isRefusal(account)) return account
        const opened = await openSession(deps.db, account.id, deps.now)
        return {
          body: { data: await readProfile(deps, account) },
          headers: { 'Set-Cookie': deps.cookie.keep(opened) },
        }
      },
    }),
  ]
}
