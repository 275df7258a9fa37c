import { createTickets } from '../../lib/tickets.ts'
import { type CheckGuess, guessBy, kinds } from '../../limits/guesses.ts'
import { tooManyRequests, type Verdict } from '../../limits/throttle.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Proven, Question } from '../../plugin/sign-in/step.ts'
import type { Database } from '../../storage/database.ts'
import { findAccount } from '../accounts.ts'
import type { MayUsePassword } from './confirm-password.ts'
import {
  type Done,
  type Failed,
  invalidTicket,
  type NamedStep,
  nameOfStep,
  type SecondSteps,
  type StepDue,
  unavailable,
  wrongAnswer,
} from './second-steps.ts'
import { spendTicket } from './sessions/used-tickets.ts'

/** A step that signs people in by itself, whose failures are contained. */
export interface NamedFirstStep extends Pick<NamedStep, 'feature' | 'name' | 'method' | 'label'> {
  /** The words of its button after `Sign in with`. */
  button(acceptLanguage: string): string
  isReady(): boolean
  ask(): Promise<Question | Failed>
  check(answer: string): Promise<Proven | Refusal | Failed>
}

/** Who sends an answer. */
interface By {
  /** The key of the client, by which wrong answers are counted. */
  readonly client: string
  /** The session that is proven again by it, and whose it is; absent if one is to be opened. */
  readonly proves?: { readonly session: string | undefined; readonly accountId: number }
}

/** Signs people in who have said nothing of themselves: by what they have, such as a passkey. */
export interface FirstSteps {
  /** Those that can be used now. */
  all(): readonly NamedFirstStep[]
  /** Asks the question of one. Refused: `second_step_unavailable` if it fails. Undefined if there is none of this name. */
  ask(which: Pick<NamedStep, 'feature' | 'name'>): Promise<Due | Refusal | undefined>
  /**
   * Checks the answer to such a question; undefined if the ticket is of none. Refused: `wrong_answer`, `too_many_requests`,
   * `passwords_off`, `other_account`, and all that `begin` of `SecondSteps` refuses.
   */
  go(ticket: string, answer: string, by: By): Promise<Done | StepDue | Refusal | undefined>
  /** How many wrong answers a client has left; undefined if the ticket is of no such question. */
  left(ticket: string, client: string): Promise<Verdict | undefined>
}

/** A question, and the ticket to send with its answer. */
interface Due {
  readonly ticket: string
  readonly step: NamedFirstStep
  readonly question: Question
}

const lifeMs = 5 * 60_000

export function createFirstSteps({
  db,
  now,
  secret,
  checkGuess,
  all,
  steps,
  mayUsePassword,
}: {
  readonly db: Database
  readonly now: () => Date
  readonly secret: Buffer
  readonly checkGuess: CheckGuess
  readonly all: FirstSteps['all']
  readonly steps: Pick<SecondSteps, 'begin'>
  /** Whoever signs in at other servers alone does not come in by what is kept here. */
  readonly mayUsePassword: MayUsePassword
}): FirstSteps {
  const tickets = createTickets<string>({ secret, purpose: 'first step', lifeMs, now })
  const find = (name: string) => all().find(it => nameOfStep(it) === name)

  /** Whose answer it is. A wrong one counts against the client alone: nobody has said who they are. */
  async function check(step: NamedFirstStep, answer: string, client: string) {
    const left = await checkGuess.left(kinds.firstStep, guessBy(client))
    if (!left.allowed) return tooManyRequests(left)
    // The plugin is asked before the turn of this guess comes: nobody waits for a plugin that hangs.
    const who = await step.check(answer)
    if (who === 'failed') return unavailable
    const isRight = await checkGuess(kinds.firstStep, guessBy(client), async () => !isRefusal(who))
    if (isRefusal(isRight)) return isRight
    return isRefusal(who) ? wrongAnswer(who) : who
  }

  return {
    all,

    async ask(which) {
      const step = find(nameOfStep(which))
      const question = await step?.ask()
      if (!step || !question) return undefined
      if (question === 'failed') return unavailable
      return { ticket: tickets.make(nameOfStep(step)), step, question }
    },

    async go(text, answer, { client, proves }) {
      const ticket = tickets.read(text)
      if (!ticket) return undefined
      const step = find(ticket.content)
      if (!step) return unavailable
      const who = await check(step, answer, client)
      if (isRefusal(who)) return who
      const account = await findAccount(db, who.accountId)
      if (!account || !(await spendTicket(db, ticket, now))) return invalidTicket
      if (proves && proves.accountId !== account.id) return otherAccount
      if (!mayUsePassword(account)) return onlyElsewhere
      const proven = { methods: [step.method], session: proves?.session }
      return steps.begin(account, proven, [nameOfStep(step)])
    },

    async left(text, client) {
      return tickets.read(text) && checkGuess.left(kinds.firstStep, guessBy(client))
    },
  }
}

const otherAccount = refuse(
  'other_account',
  'This is somebody else than the owner of this session.',
  403,
)
const onlyElsewhere = refuse(
  'passwords_off',
  'This account signs in at one of the other servers alone. Sign in there.',
  403,
)
