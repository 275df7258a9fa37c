import { z } from 'zod'
import type { SetUp } from '../../../accounts/access/set-up.ts'
import { email, fullName, newPassword } from '../../../accounts/account-fields.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import { isRefusal } from '../../../plugin/outcomes.ts'
import { type Route, route } from '../../api/route/route.ts'
import { type SignedInDeps, signInOrAsk } from './answer-signed-in.ts'

export interface SetUpDeps extends SignedInDeps {
  readonly setUp: SetUp
}

const firstAdmin = z.strictObject({
  code: z.string().max(100).meta({ description: 'The setup code from the log.' }),
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
      async handle({ body: { code, fullName = null, ...admin }, ...browser }) {
        const account = await deps.setUp.setUpFirstAdmin(
          code,
          { ...admin, fullName },
          clientKey(browser.ip),
        )
        return isRefusal(account) ? account : signInOrAsk(deps, account, browser)
      },
    }),
  ]
}
