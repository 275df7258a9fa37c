import type { FirstSteps } from '../../../accounts/access/first-steps.ts'
import { openSessionOf } from '../../../accounts/access/hold-caller.ts'
import type {
  Done,
  NamedStep,
  SecondSteps,
  StepDue,
} from '../../../accounts/access/second-steps.ts'
import { noteProvider } from '../../../accounts/access/sessions/provider-sessions.ts'
import {
  byPassword,
  closeSession,
  type Methods,
  renewSession,
} from '../../../accounts/access/sessions/sessions.ts'
import type { Account } from '../../../accounts/account.ts'
import type { VisitorText } from '../../../plugin/answers/visitor-text.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Question } from '../../../plugin/sign-in/step.ts'
import type { SessionCookie } from '../../api/access/session-cookie.ts'
import type { Call, Reply } from '../../api/route/route.ts'
import type { ChooseLanguage, PageLanguage } from '../../pages/choose-language.ts'
import { type ProfileDeps, readProfile } from '../accounts/profile-routes.ts'

export interface SignedInDeps extends ProfileDeps {
  readonly cookie: SessionCookie
  readonly steps: SecondSteps
  readonly firstSteps: FirstSteps
  readonly chooseLanguage: ChooseLanguage
}

/** The browser that signs in. */
type Browser = Pick<Call, 'session' | 'acceptLanguage'>

/** Signs in somebody who was proven by `methods`: answers with the profile, or with the question of a second step. */
export async function signInOrAsk(
  deps: SignedInDeps,
  account: Account,
  browser: Browser,
  methods: Methods = byPassword,
): Promise<Reply | Refusal> {
  return answerNext(deps, await deps.steps.begin(account, { methods }), browser)
}

/** Answers with what comes after a step. */
export async function answerNext(
  deps: SignedInDeps,
  next: Done | StepDue | Refusal,
  browser: Browser,
): Promise<Reply | Refusal> {
  const language = deps.chooseLanguage(browser.acceptLanguage)
  if (isRefusal(next)) return inLanguage(next, language)
  if (next.kind === 'due') return secondStepRequired(next, language, browser.acceptLanguage)
  const headers = await keepSession(deps, next, browser.session)
  if (isRefusal(headers)) return headers
  return { body: { data: await readProfile(deps, next.account) }, headers }
}

/**
 * Opens a session, or notes that the one that was to be proven again is. The session before is closed: somebody else may have
 * planted it.
 */
export async function keepSession(
  { db, now, cookie }: Pick<SignedInDeps, 'db' | 'now' | 'cookie'>,
  { account, methods, session, provider }: Omit<Done, 'kind'>,
  before: string | undefined,
): Promise<Readonly<Record<string, string>> | Refusal> {
  if (session !== undefined) {
    if (!(await renewSession(db, before ?? '', methods, now))) return ended
    if (provider) await noteProvider(db, before ?? '', provider)
    return {}
  }
  if (before !== undefined) await closeSession(db, before, now)
  const opened = await openSessionOf(db, account, now, methods)
  if (isRefusal(opened)) return opened
  if (provider) await noteProvider(db, opened, provider)
  return { 'Set-Cookie': cookie.keep(opened) }
}

const ended = refuse('unauthenticated', 'This session has ended meanwhile. Sign in again.', 401)

function secondStepRequired(
  { ticket, step, question, others }: StepDue,
  language: PageLanguage,
  acceptLanguage: string,
): Refusal {
  const named = ({ feature, name, label }: NamedStep) => ({
    ...{ feature, name, label: label(acceptLanguage) },
  })
  const asked = questionIn(question, language)
  const more = {
    ticket,
    step: { ...named(step), question: asked },
    alternatives: others.map(named),
  }
  const detail = 'This account needs a second step. Send its answer with the ticket.'
  return refuse('second_step_required', detail, 401, undefined, more)
}

/** A question as people read it. */
export function questionIn(question: Question, language: PageLanguage) {
  return { ...question, text: textIn(question.text, language) }
}

/** What a plugin says of a wrong answer is for people. */
function inLanguage(refusal: Refusal, language: PageLanguage): Refusal {
  const { texts, ...said } = refusal
  return texts ? { ...said, detail: textIn(texts, language) } : refusal
}

function textIn(text: VisitorText, language: PageLanguage): string {
  return typeof text === 'string' ? text : (language.say(text) ?? text.en)
}

export const passwordsOff = refuse(
  'passwords_off',
  'This account does not sign in by password here. Sign in by one of the other servers.',
  403,
)
