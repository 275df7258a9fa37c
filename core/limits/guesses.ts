import { type BoundedQueue, Overloaded } from '../lib/async/bounded-queue.ts'
import { within } from '../lib/async/within.ts'
import { memoryShares } from '../lib/memory/memory-shares.ts'
import { networkOf } from '../lib/net/client-key.ts'
import type { Refusal } from '../plugin/outcomes.ts'
import { createGuessTurns } from './guess-turns.ts'
import { createRightClients } from './right-clients.ts'
import type { LogEvent } from './security-log.ts'
import { type Throttle, tightest, tooManyRequests, type Verdict } from './throttle.ts'

/** Secrets of one kind, and how fast they may be guessed. */
export interface SecretKind {
  /** What the log calls it, such as `sign-in`. */
  readonly secret: string
  /** Guesses in the same lane wait for each other, never for those in another lane. */
  readonly lane: 'accounts' | 'links'
  /** How many wrong guesses a minute a client may make at one secret. */
  readonly perMinute: number
  /**
   * How many wrong guesses an hour a client may make at one secret once all clients together have made a
   * hundred at it within the hour. A client that has guessed it before may make a hundred of its own.
   */
  readonly thenPerHour: number
}

/** The hourly limit of accounts is that of OWASP ASVS 4.0, 2.2.1. */
export const kinds = {
  signIn: { secret: 'sign-in', lane: 'accounts', perMinute: 10, thenPerHour: 0 },
  ownPassword: { secret: 'current password', lane: 'accounts', perMinute: 10, thenPerHour: 0 },
  firstStep: { secret: 'first step', lane: 'accounts', perMinute: 10, thenPerHour: 10 },
  secondStep: { secret: 'second step', lane: 'accounts', perMinute: 10, thenPerHour: 0 },
  setUpCode: { secret: 'setup code', lane: 'accounts', perMinute: 10, thenPerHour: 10 },
  oneTimeLink: { secret: 'one-time link', lane: 'accounts', perMinute: 10, thenPerHour: 10 },
} as const satisfies Record<string, SecretKind>

/** A plugin whose check never ends keeps its turn from others no longer than this; our own take far less. */
const checkMs = 15_000

/** The kind of secret that a plugin asks visitors for. Guessing slows down, but is never stopped for good. */
export function kindOfPlugin(feature: string): SecretKind {
  return { secret: feature, lane: 'links', perMinute: 5, thenPerHour: 5 }
}

export interface Guess {
  /** Which secret of its kind, such as the id of a link. */
  readonly of: string
  /** The key of the client that guesses. */
  readonly by: string
  /** What the log shows instead of `of` and `by`. */
  readonly shown?: { readonly of?: string | undefined; readonly client?: string }
}

/** A guess of a client at the only secret of a kind. */
export function guessBy(client: string): Guess {
  return { of: '', by: client, shown: { client } }
}

/**
 * Checks a guess. Returns whether it is right, or a refusal (429) if the client was wrong too often. Right
 * guesses are not counted. Guesses wait for their turn, those of clients that were wrong before behind all
 * others: see `createGuessTurns`. Throws `Overloaded` if too many are waiting.
 */
export interface CheckGuess {
  (kind: SecretKind, guess: Guess, check: () => Promise<boolean>): Promise<boolean | Refusal>
  /** How many wrong guesses are left until the first limit refuses. */
  left(kind: SecretKind, guess: Guess): Promise<Verdict>
}

const minute = 60
const hour = 3_600
/** How many wrong guesses a minute one client may make at all secrets together. */
const maxOfClient = 60
/** A /48 network may be one household, or thousands of phones. */
const clientsInNetwork = 10
const maxPerHour = 100
const clientsRemembered = memoryShares.guessers

interface Limit {
  readonly key: string
  readonly max: number
  readonly seconds: number
}

export function createGuesses({
  throttle,
  queue,
  note,
}: {
  readonly throttle: Throttle
  readonly queue: BoundedQueue
  readonly note: LogEvent
}): CheckGuess {
  const wasRight = {
    accounts: createRightClients(clientsRemembered),
    links: createRightClients(clientsRemembered),
  }
  const takeTurn = createGuessTurns(queue)
  const peek = ({ key, max, seconds }: Limit) => throttle.peek(key, max, seconds)
  const count = ({ key, max, seconds }: Limit) => throttle(key, max, seconds)

  async function leftOf({ short, all, own }: Limits): Promise<Verdict> {
    const [ofAll, ofOwn] = await Promise.all([peek(all), peek(own)])
    const ofHour = ofOwn.remaining > ofAll.remaining ? ofOwn : ofAll
    return tightest([ofHour, ...(await Promise.all(short.map(peek)))])
  }

  async function refusedBy(limits: Limits): Promise<Verdict | undefined> {
    const left = await leftOf(limits)
    return left.allowed ? undefined : left
  }

  function wasRightBefore(kind: SecretKind, guess: Guess): boolean {
    return wasRight[kind.lane].has(nameOf(kind, guess), guess.by)
  }

  /**
   * The lowest goes first: clients that were right before, then guesses at a secret that nobody guessed wrong,
   * then those where only other clients were wrong.
   */
  async function standingOf({ client, all }: Limits, isKnown: boolean): Promise<number> {
    if (isKnown) return 0
    if ((await peek(client)).remaining < client.max) return 3
    return (await peek(all)).remaining < all.max ? 2 : 1
  }

  async function checkGuess(kind: SecretKind, guess: Guess, check: () => Promise<boolean>) {
    const { secret, lane } = kind
    const isKnown = wasRightBefore(kind, guess)
    const limits = limitsOf(kind, guess, isKnown)
    const { of, client } = guess.shown ?? { of: guess.of, client: guess.by }

    async function checkAtTurn(): Promise<boolean | Verdict> {
      const refused = await refusedBy(limits)
      if (refused) return refused
      const isRight = await within(checkMs, check(), undefined)
      if (isRight === undefined) throw new Overloaded('A guess took too long to check.')
      if (isRight) wasRight[lane].add(nameOf(kind, guess), guess.by)
      else await Promise.all([...limits.short, limits.all, limits.own].map(count))
      return isRight
    }

    // Checked before the turn, so that nobody waits only to be refused, and again at the turn, for guesses made
    // meanwhile.
    const outcome =
      (await refusedBy(limits)) ??
      (await takeTurn(
        { lane, by: guess.by, standing: await standingOf(limits, isKnown) },
        checkAtTurn,
      ))
    if (outcome === true) return true
    await note(outcome === false ? 'wrong_guess' : 'too_many_guesses', { client, secret, of })
    return outcome === false ? false : tooManyRequests(outcome)
  }

  return Object.assign(checkGuess, {
    left: (kind: SecretKind, guess: Guess) =>
      leftOf(limitsOf(kind, guess, wasRightBefore(kind, guess))),
  })
}

/** Identifies the secret that is guessed. */
function nameOf({ secret }: SecretKind, { of }: Guess): string {
  return `${secret} ${of}`
}

interface Limits {
  /** Reaching any of these refuses the guess. */
  readonly short: readonly Limit[]
  /** The limit of the client at all secrets together; also in `short`. */
  readonly client: Limit
  /** These two refuse the guess only when both are reached. */
  readonly all: Limit
  readonly own: Limit
}

function limitsOf(kind: SecretKind, guess: Guess, isKnown: boolean): Limits {
  const { perMinute, thenPerHour } = kind
  const { by } = guess
  const name = nameOf(kind, guess)
  const network = networkOf(by)
  const client = { key: `wrong ${by}`, max: maxOfClient, seconds: minute }
  const here = { key: `wrong ${name} ${by}`, max: perMinute, seconds: minute }
  const wider = (limit: Limit, key: string) => ({
    ...limit,
    key,
    max: limit.max * clientsInNetwork,
  })
  return {
    client,
    short: [
      client,
      here,
      ...(network === undefined
        ? []
        : [wider(client, `wrong ${network}`), wider(here, `wrong ${name} ${network}`)]),
    ],
    all: { key: `wrong ${name}`, max: maxPerHour, seconds: hour },
    own: { ...here, max: isKnown ? maxPerHour : thenPerHour, seconds: hour },
  }
}
