import { publicId } from '../../lib/public-id.ts'
import { createTickets, type Ticket } from '../../lib/tickets.ts'
import { type CheckGuess, type Guess, kinds } from '../../limits/guesses.ts'
import { tooManyRequests, type Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Question, SigningIn } from '../../plugin/sign-in/step.ts'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Account } from '../account.ts'
import { findAccount } from '../accounts.ts'
import { requiredSteps } from './account-steps.ts'
import { changedMeanwhile } from './hold-caller.ts'
import type { ProviderSession } from './sessions/provider-sessions.ts'
import type { Methods } from './sessions/sessions.ts'
import { isOverThere, isSpent, spendTicket, stepMs } from './sessions/used-tickets.ts'
import { suspended } from './suspend-account.ts'

/** The second steps that running plugins have. */
export interface StepHooks {
  /** Those of a feature, in order; empty if it does not run. */
  stepsOf(feature: string): readonly NamedStep[]
  /** The features whose steps an account has to do although it was not marked. */
  neededBy(account: SigningIn): readonly string[]
}

/** A step of a plugin, whose failures are contained. */
export interface NamedStep {
  readonly feature: string
  readonly name: string
  readonly method: string
  /** Steps with the same word are alternatives. */
  readonly oneOf: string | undefined
  label(acceptLanguage: string): string
  /** Whether an account has to do it that was not marked; true if its plugin fails. */
  isNeeded(account: SigningIn): boolean
  ask(account: SigningIn): Promise<Question | undefined | Failed>
  /** A refusal says what is wrong with the answer. */
  check(account: SigningIn, answer: string): Promise<Refusal | undefined | Failed>
}

/** The hook of a plugin failed. */
export type Failed = 'failed'

/** What was proven of somebody so far, and what it is for. */
export interface Proven {
  readonly methods: Methods
  /** The public id of the session that is proven again; absent if one is to be opened. */
  readonly session?: string | undefined
  /** Where a provider proved it. */
  readonly provider?: ProviderSession | undefined
}

/** The question that somebody must answer next, and the ticket to send with the answer. */
export interface StepDue {
  readonly kind: 'due'
  readonly ticket: string
  readonly step: NamedStep
  readonly question: Question
  /** What may be answered in its place. */
  readonly others: readonly NamedStep[]
}

/** Somebody who has done all that the account needs. */
export interface Done extends Proven {
  readonly kind: 'done'
  readonly account: Account
}

export interface SecondSteps {
  /**
   * What an account must do after its first step, and after steps that are `done` already. Refused: `account_suspended`, `second_step_unavailable`, and
   * `changed_meanwhile` if it has another password since that step began.
   */
  begin(
    account: Account,
    proven: Proven,
    done?: readonly string[],
  ): Promise<Done | StepDue | Refusal>
  /**
   * Checks the answer to the question of a ticket. Without an answer it asks again, or the alternative that was chosen. Refused:
   * `invalid_ticket`, `wrong_answer`, `too_many_requests`, `second_step_unavailable`.
   */
  go(ticket: string, said: Said, by: By): Promise<Done | StepDue | Refusal>
  /** How many wrong answers a client has left; undefined if nobody may answer with this ticket. */
  left(ticket: string, client: string): Promise<Verdict | undefined>
}

/** What somebody sends with a ticket. */
export interface Said {
  readonly answer?: string | undefined
  /** Which alternative to ask in place of the step that was asked, if there is no answer. */
  readonly step?: Pick<NamedStep, 'feature' | 'name'> | undefined
}

/** Who sends a ticket. */
export interface By extends Pick<Proven, 'session'> {
  /** The key of the client, by which wrong answers are counted. It may change: a browser has several addresses. */
  readonly client: string
}

interface Carried extends Proven {
  readonly accountId: number
  /** The digest of the hashed password: a new password ends all tickets. */
  readonly password: string
  /** The steps that were answered, as `acme.codes code`. */
  readonly done: readonly string[]
  /** The one that was asked. */
  readonly asked: string
}

/**
 * Asks what accounts must answer besides their passwords. An account that a plugin marked stays closed while the plugin does
 * not run, fails, or asks nothing.
 */
export function createSecondSteps({
  db,
  now,
  secret,
  checkGuess,
  log,
  hooks,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly secret: Buffer
  readonly checkGuess: CheckGuess
  readonly log: Log
  readonly hooks: StepHooks
}): SecondSteps {
  const life = { lifeMs: stepMs, now }
  const tickets = createTickets<Carried>({ ...life, secret, purpose: 'second step' })

  function shut(account: Account, feature: string): Refusal {
    log.warn('Somebody cannot sign in, because a plugin did not ask its second step', {
      ...{ feature, account: publicId('acc', account.id) },
    })
    return unavailable
  }

  /** The features whose steps an account has to do. */
  async function featuresFor(account: Account, methods: Methods): Promise<readonly string[]> {
    const marked = await requiredSteps(db, account.id)
    return [...new Set([...marked, ...hooks.neededBy(shown(account, methods))])]
  }

  /** Asks for the first step that is not done yet, by the one that is `chosen` if that is among its alternatives. */
  async function next(
    account: Account,
    carried: Omit<Carried, 'asked'>,
    features: readonly string[],
    { endsAt, chosen }: { readonly endsAt?: number; readonly chosen?: string } = {},
  ): Promise<Done | StepDue | Refusal> {
    const all = features.flatMap(feature => hooks.stepsOf(feature))
    for (const feature of features) {
      let isDone = false
      for (const step of hooks.stepsOf(feature)) {
        const ways = [step, ...all.filter(it => isAlternative(it, step))]
        if (ways.some(it => carried.done.includes(nameOfStep(it)))) {
          isDone = true
          continue
        }
        const asked = await askOne(shown(account, carried.methods), preferring(ways, chosen))
        if (asked === 'failed') return shut(account, feature)
        if (!asked) continue
        const ticket = tickets.make({ ...carried, asked: nameOfStep(asked.step) }, endsAt)
        const others = all.filter(it => ways.includes(it) && it !== asked.step)
        return { kind: 'due', ticket, ...asked, others }
      }
      if (!isDone) return shut(account, feature)
    }
    const { methods, session, provider } = carried
    return { kind: 'done', account, methods, session, provider }
  }

  async function open(text: string, by: By): Promise<Opened | Refusal> {
    const ticket = tickets.read(text)
    if (!ticket) return invalidTicket
    const { accountId, session, password, provider } = ticket.content
    const account = await findAccount(db, accountId)
    const isTheirs = session === undefined || session === by.session
    if (!account || !isTheirs || account.passwordMark !== password) return invalidTicket
    // Before an answer to it uses up anything, such as a recovery code.
    if (await isSpent(db, ticket)) return invalidTicket
    if (account.suspendedAt) return suspended
    if (provider && (await isOverThere(db, provider, ticket.endsAt))) return invalidTicket
    return { ticket, account }
  }

  async function check(
    account: Account,
    { methods }: Pick<Proven, 'methods'>,
    step: NamedStep,
    { answer, client }: { readonly answer: string; readonly client: string },
  ) {
    const guess = guessOf(account.id, client)
    const left = await checkGuess.left(kinds.secondStep, guess)
    if (!left.allowed) return tooManyRequests(left)
    // The plugin is asked before the turn of this guess comes: nobody who has the right password waits for a plugin that hangs.
    const wrong = await step.check(shown(account, methods), answer)
    if (wrong === 'failed') return shut(account, step.feature)
    const isRight = await checkGuess(kinds.secondStep, guess, async () => wrong === undefined)
    if (isRefusal(isRight)) return isRight
    return wrong && wrongAnswer(wrong)
  }

  return {
    async begin(account, proven, done = []) {
      // Said to nobody who cannot prove who they are.
      if (account.suspendedAt) return suspended
      const features = await featuresFor(account, proven.methods)
      if (features.length === 0) return { kind: 'done', account, ...proven }
      // The ticket is bound to the password that was checked, which took a moment.
      const password = account.passwordMark
      if ((await findAccount(db, account.id))?.passwordMark !== password) return changedMeanwhile
      return next(account, { ...proven, accountId: account.id, password, done }, features)
    },

    async go(text, { answer, step: other }, by) {
      const opened = await open(text, by)
      if (isRefusal(opened)) return opened
      const { account, ticket } = opened
      const { asked, ...carried } = ticket.content
      const features = await featuresFor(account, carried.methods)
      if (answer === undefined) {
        const chosen = other ? nameOfStep(other) : asked
        const due = await next(account, carried, features, { endsAt: ticket.endsAt, chosen })
        const isOver = due.kind === 'done' && !(await spendTicket(db, ticket, now))
        return isOver ? invalidTicket : due
      }
      const [feature = ''] = asked.split(' ')
      const step = hooks.stepsOf(feature).find(it => nameOfStep(it) === asked)
      if (!step) return shut(account, feature)
      const refused = await check(account, carried, step, { answer, client: by.client })
      if (refused) return refused
      if (!(await spendTicket(db, ticket, now))) return invalidTicket
      const methods = [...carried.methods, step.method]
      const done = [...carried.done, asked]
      return next(account, { ...carried, methods, done }, features, { endsAt: ticket.endsAt })
    },

    async left(text, client) {
      const { accountId } = tickets.read(text)?.content ?? {}
      if (accountId === undefined) return undefined
      return checkGuess.left(kinds.secondStep, guessOf(accountId, client))
    },
  }
}

interface Opened {
  readonly ticket: Ticket<Carried>
  readonly account: Account
}

/** The first of some alternatives that asks something; if none does, whether that is because they failed. */
async function askOne(
  account: SigningIn,
  ways: readonly NamedStep[],
): Promise<Pick<StepDue, 'step' | 'question'> | Failed | undefined> {
  let failed: Failed | undefined
  for (const step of ways) {
    const question = await step.ask(account)
    if (question === 'failed') failed = question
    else if (question) return { step, question }
  }
  return failed
}

function isAlternative(one: NamedStep, other: NamedStep): boolean {
  return one !== other && one.oneOf !== undefined && one.oneOf === other.oneOf
}

function preferring(ways: readonly NamedStep[], chosen?: string): readonly NamedStep[] {
  return ways.toSorted(
    (a, b) => Number(nameOfStep(b) === chosen) - Number(nameOfStep(a) === chosen),
  )
}

/** How tickets call a step. */
export function nameOfStep({ feature, name }: Pick<NamedStep, 'feature' | 'name'>): string {
  return `${feature} ${name}`
}

function shown({ id: accountId, email, fullName, isAdmin }: Account, methods: Methods): SigningIn {
  return { accountId, email, fullName, isAdmin, methods }
}

/** What a plugin says of a wrong answer. */
export function wrongAnswer({ texts, detail }: Refusal): Refusal {
  return refuse('wrong_answer', texts ?? detail, 422, 'answer')
}

function guessOf(accountId: number, client: string): Guess {
  const of = publicId('acc', accountId)
  return { of, by: client, shown: { of, client } }
}

export const invalidTicket = refuse(
  'invalid_ticket',
  'This ticket was used, has expired, or is for another session. Sign in again.',
  422,
  'ticket',
)
export const unavailable = refuse(
  'second_step_unavailable',
  'The second step of this account cannot be asked at the moment. Try again later, or tell whoever runs this server.',
  503,
)
