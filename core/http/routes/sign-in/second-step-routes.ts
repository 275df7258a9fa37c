import { z } from 'zod'
import {
  type ConfirmPassword,
  notFresh,
  sessionRequired,
} from '../../../accounts/access/confirm-password.ts'
import { byPassword } from '../../../accounts/access/sessions.ts'
import { allowsPassword } from '../../../accounts/access/sign-in.ts'
import { currentPassword } from '../../../accounts/account-fields.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import type { PasswordRule } from '../../../plugin.ts'
import type { Credentials } from '../../api/access/identify.ts'
import { type Route, route } from '../../api/route/route.ts'
import { answerNext, type SignedInDeps } from './answer-signed-in.ts'

export interface SecondStepDeps extends SignedInDeps {
  readonly credentials: Pick<Credentials, 'bySession'>
  readonly confirm: ConfirmPassword
  readonly passwordRule: () => PasswordRule
}

const ticket = z.string().max(4_000).meta({
  description: 'The `ticket` of the problem `second_step_required`. It works for five minutes.',
})
const answer = z.string().max(8_000).meta({
  description: 'Left out: the answer is `second_step_required` again, with the question.',
})
const step = z.strictObject({ feature: z.string().max(200), name: z.string().max(200) }).meta({
  description:
    'One of `alternatives`, to be asked in place of the step that was. Leave `answer` out.',
})
const stepAnswer = z.strictObject({ ticket, answer: answer.optional(), step: step.optional() })
const proof = z.strictObject({
  currentPassword: currentPassword.optional(),
  ticket: ticket.optional(),
  answer: answer.optional(),
  step: step.optional(),
})

/** What some accounts must do besides entering the password, and proving again who is at a session. */
export function secondStepRoutes(deps: SecondStepDeps): readonly Route[] {
  const { steps, confirm, credentials } = deps
  return [
    route('POST /session/step', {
      name: 'session.step',
      group: 'Session',
      summary: 'Answer the second step of signing in',
      scope: 'anyone',
      body: stepAnswer,
      answer: deps.answer,
      status: 201,
      rateLimit: ({ ip, body }) => steps.left(body?.ticket ?? '', clientKey(ip)),
      async handle({ body, ...browser }) {
        const caller =
          browser.session === undefined ? undefined : await credentials.bySession(browser.session)
        const by = { client: clientKey(browser.ip), session: caller?.credentialId }
        return answerNext(deps, await steps.go(body.ticket, body, by), browser)
      },
    }),
    route('POST /session/proof', {
      name: 'session.prove',
      group: 'Session',
      summary: 'Prove again who you are, for what asks for a fresh sign-in',
      scope: '*',
      bars: ({ credential }) => (credential === 'session' ? undefined : sessionRequired),
      body: proof,
      answer: deps.answer,
      status: 201,
      rateLimit: ({ caller }) => confirm.left(caller),
      async handle({ caller, body, ...browser }) {
        const by = { client: clientKey(browser.ip), session: caller.credentialId }
        if (body.ticket !== undefined) {
          return answerNext(deps, await steps.go(body.ticket, body, by), browser)
        }
        const mayUse = allowsPassword(deps.passwordRule(), caller.isAdmin)
        if (!caller.account.hasPassword || !mayUse) return notFresh
        const refused = await confirm.password(caller, body.currentPassword ?? null)
        if (refused) return refused
        const { session } = by
        const next = await steps.begin(caller.account, { session, methods: byPassword })
        return answerNext(deps, next, browser)
      },
    }),
  ]
}
