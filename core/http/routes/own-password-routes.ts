import { z } from 'zod'
import { changePassword } from '../../accounts/access/change-account.ts'
import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import { openSession } from '../../accounts/access/sessions.ts'
import { currentPassword, newPassword } from '../../accounts/account-fields.ts'
import { isRefusal } from '../../plugin/outcomes.ts'
import { type Route, route } from '../api/route/route.ts'
import type { SignedInDeps } from './session-routes.ts'

const passwords = z.strictObject({
  currentPassword: currentPassword.optional(),
  newPassword,
})

/**
 * The caller's own password. A token that allows everything may change it too, because it must know the current
 * one. It is a `PATCH`, because repeats of a `POST` are recognized by a digest of what was sent.
 */
export function ownPasswordRoutes(
  deps: Pick<SignedInDeps, 'db' | 'now' | 'cookie'> & { readonly confirm: ConfirmPassword },
): readonly Route[] {
  const { db, now, confirm, cookie } = deps
  return [
    route('PATCH /profile/password', {
      name: 'profile.password',
      group: 'Profile',
      summary: 'Change your password and end all other sessions',
      scope: '*',
      body: passwords,
      status: 204,
      problems: [409],
      rateLimit: ({ caller }) => confirm.left(caller),
      async handle({ caller, body }) {
        const change = { current: body.currentPassword ?? null, password: body.newPassword }
        const changed = await changePassword(db, caller, change, { confirm, now })
        if (isRefusal(changed)) return changed
        if (caller.credential !== 'session') return {}
        const session = await openSession(db, caller.accountId, now)
        return { headers: { 'Set-Cookie': cookie.keep(session) } }
      },
    }),
  ]
}
