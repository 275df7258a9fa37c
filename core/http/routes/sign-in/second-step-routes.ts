import { z } from 'zod'
import {
  type ConfirmPassword,
  isByFirstStep,
  notFresh,
  sessionRequired,
} from '../../../accounts/access/confirm-password.ts'
import { byPassword } from '../../../accounts/access/sessions/sessions.ts'
import { allowsPassword } from '../../../accounts/access/sign-in.ts'
import { currentPassword } from '../../../accounts/account-fields.ts'
import { clientKey } from '../../../lib/net/client-key.ts'
import { createLimit, type Throttle } from '../../../limits/throttle.ts'
import { isRefusal, notFound } from '../../../plugin/outcomes.ts'
import type { PasswordRule } from '../../../plugin.ts'
import type { Credentials } from '../../api/access/identify.ts'
import { type Route, route } from '../../api/route/route.ts'
import { answerNext, questionIn, type SignedInDeps } from './answer-signed-in.ts'

export interface SecondStepDeps extends SignedInDeps {
  readonly credentials: Pick<Credentials, 'bySession'>
  readonly confirm: ConfirmPassword
  readonly passwordRule: () => PasswordRule
  readonly throttle: Throttle
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

const asked = z.strictObject({
  ticket: z.string(),
  step: z.strictObject({
    feature: z.string(),
    name: z.string(),
    label: z.string(),
    question: z.strictObject({
      text: z.string(),
      kind: z.enum(['code', 'text', 'confirm', 'passkey']),
      picture: z.string().optional(),
      copy: z.string().optional(),
      // A schema of any JSON is part of itself, which types that are made of the description do not bear.
      data: z.unknown().optional(),
    }),
  }),
})

/** How many questions a client may ask for in a minute: it may be all people of a company on a Monday morning. */
const asks = { max: 300, seconds: 60 }

/** Signing in without a password, what some accounts must do besides entering it, and proving again who is at a session. */
export function secondStepRoutes(deps: SecondStepDeps): readonly Route[] {
  const { steps, firstSteps, confirm, credentials } = deps
  const limit = createLimit(deps.throttle, asksOf, asks)
  return [
    route('POST /session/ask', {
      name: 'session.ask',
      group: 'Session',
      summary: 'Ask what signs you in without a password, such as a passkey',
      scope: 'anyone',
      body: z.strictObject({ step }),
      answer: z.strictObject({ data: asked }),
      problems: [404, 503],
      rateLimit: ({ ip }) => limit.left(ip),
      async handle({ ip, body, acceptLanguage }) {
        const refused = await limit.count(ip)
        if (refused) return refused
        const due = await firstSteps.ask(body.step)
        if (!due) return notFound
        if (isRefusal(due)) return due
        const { feature, name, label } = due.step
        const question = questionIn(due.question, deps.chooseLanguage(acceptLanguage))
        const shown = { feature, name, label: label(acceptLanguage), question }
        return { body: { data: { ticket: due.ticket, step: shown } } }
      },
    }),
    route('POST /session/step', {
      name: 'session.step',
      group: 'Session',
      summary: 'Answer a step of signing in',
      scope: 'anyone',
      body: stepAnswer,
      answer: deps.answer,
      status: 201,
      async rateLimit({ ip, body: { ticket = '' } = {} }) {
        const client = clientKey(ip)
        return (await firstSteps.left(ticket, client)) ?? steps.left(ticket, client)
      },
      async handle({ body, ...browser }) {
        const caller =
          browser.session === undefined ? undefined : await credentials.bySession(browser.session)
        const by = { client: clientKey(browser.ip), session: caller?.credentialId }
        const { ticket, answer = '' } = body
        const first = await firstSteps.go(ticket, answer, { client: by.client })
        return answerNext(deps, first ?? (await steps.go(ticket, body, by)), browser)
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
        const { accountId, credentialId: session } = caller
        const by = { client: clientKey(browser.ip), session }
        const { ticket, answer = '' } = body
        if (ticket !== undefined) {
          const proves = { session, accountId }
          const first = await firstSteps.go(ticket, answer, { client: by.client, proves })
          return answerNext(deps, first ?? (await steps.go(ticket, body, by)), browser)
        }
        const mayUse = allowsPassword(deps.passwordRule(), caller.isAdmin)
        const isElsewhere = isByFirstStep(caller) && body.currentPassword === undefined
        if (!caller.account.hasPassword || !mayUse || isElsewhere) return notFresh
        const refused = await confirm.password(caller, body.currentPassword ?? null)
        if (refused) return refused
        const next = await steps.begin(caller.account, { session, methods: byPassword })
        return answerNext(deps, next, browser)
      },
    }),
  ]
}

function asksOf(ip: string): string {
  return `first step ${clientKey(ip)}`
}
