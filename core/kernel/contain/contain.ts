import { Overloaded } from '../../lib/async/bounded-queue.ts'
import { isThenable } from '../../lib/async/thenable.ts'
import { within } from '../../lib/async/within.ts'
import { caught } from '../../lib/caught.ts'
import { createCounts } from '../../lib/memory/counts.ts'
import { messageForPeople, stackOf } from '../../lib/message-for-people.ts'
import { shorten } from '../../lib/text/shown.ts'
import type { Later, Log } from '../../plugin.ts'
import { isStorageTrouble } from '../../storage/files/damage.ts'
import { isOfStorage } from '../../storage/files/out-of-reach.ts'
import { isDangling } from '../../storage/foreign-keys.ts'
import { Breaker } from './breaker.ts'
import type { Check } from './check-by-schema.ts'
import { createWritingTime, type WritingTime } from './writing-time.ts'

/** How long a hook may take before it counts as failed, in milliseconds. */
const budgets = {
  migration: 60_000,
  setup: 10_000,
  dispose: 5_000,
  compile: 2_000,
  prepare: 5_000,
  validate: 5_000,
  // A password waits 5 s for its turn to be hashed, at most.
  store: 10_000,
  save: 5_000,
  brought: 5_000,
  handOver: 30_000,
  computed: 5_000,
  status: 5_000,
  filter: 5_000,
  usage: 5_000,
  guard: 2_000,
  target: 250,
  view: 2_000,
  unknown: 2_000,
  counts: 250,
  hosts: 5_000,
  mail: 30_000,
  notice: 30_000,
  examine: 5_000,
  ask: 4_000,
  check: 4_000,
  begin: 10_000,
  finish: 10_000,
  on: 30_000,
  endpoint: 10_000,
  mount: 10_000,
} as const

export type Hook = keyof typeof budgets

/**
 * How long a guess may take with all its waiting, in milliseconds, and how much longer a hook of a visit that may wait for
 * it: a small processor takes 5 seconds for a password, and for two at once twice as long.
 */
const guessMs = 12_000

/** The result of a contained hook. */
export type Contained<T> =
  | { readonly ok: true; readonly value: T }
  /** With a flag, it is not the plugin's fault: the server is overloaded, or the storage is unreachable or damaged. */
  | {
      readonly ok: false
      readonly isOverloaded?: true
      readonly isUnavailable?: true
      /** The error that was thrown, if one of these is set. */
      readonly error?: unknown
      /** There was no answer in time, or the hook is not asked because it failed too often. */
      readonly isUnanswered?: true
    }

/** Returns the value of a hook, or `instead` if it failed. Throws errors that are not the plugin's fault. */
export function unlessFailed<T, F = undefined>(answer: Contained<T>, instead?: F): T | F {
  if (answer.ok) return answer.value
  if (answer.isOverloaded || answer.isUnavailable) throw answer.error
  return instead as F
}

/** Runs a hook that has to answer at once: a promise is not what `check` accepts. */
export function runAtOnce<T>(
  contain: Pick<Containment, 'run'>,
  feature: string,
  hook: Hook,
  work: () => T,
  { check, ...details }: CallDetails & { readonly check: Check },
): Contained<T> {
  const ask = () => {
    const answer = work()
    const wrong = check(answer)
    if (wrong !== undefined) throw new OurWord(wrong)
    return answer
  }
  const answer = contain.run(feature, hook, ask, details)
  return answer instanceof Promise ? { ok: false } : (answer as Contained<T>)
}

/** Details of a call of a hook, besides its name. */
export interface CallDetails {
  /** Which of several hooks of this kind it is, such as `on.created` or `GET /moods`. */
  readonly part?: string
  /** Id of the link that it is about. */
  readonly link?: string
  /** The client that visits, if what it visits is no link. */
  readonly client?: string
  /** Row id of the account whose request runs the hook. */
  readonly account?: number
  /** True if a visit runs the hook, not an account. */
  readonly isVisit?: boolean
  /** True if it runs in a transaction: nobody else can write meanwhile. */
  readonly isWriting?: boolean
  /** Checks the returned value. If it is wrong, the hook has failed. */
  readonly check?: Check
}

/** Isolates plugin code: if a hook throws, is late or returns an invalid value, that is logged, and Linnet goes on. */
export interface Containment {
  /** Returns at once, without a promise, if the hook does. */
  run<T>(
    feature: string,
    hook: Hook,
    work: () => Later<T>,
    details?: CallDetails,
  ): Later<Contained<T>>
  /**
   * Waits for a guess that a plugin has checked, for which it is not to blame: meanwhile its hooks in visits may be late.
   * Throws `Overloaded` if it takes too long.
   */
  guess<T>(feature: string, checked: Promise<T>): Promise<T>
  /** How long plugins may keep everybody else from writing. */
  readonly writingTime: WritingTime
  /** Failing hooks, for health: `{ 'link.x guard': { failures: 20, open: true, last: '…' } }`. */
  health(): Readonly<Record<string, HookHealth>>
  /** The names of hooks that are still running, late or not, such as `link.x GET /x`, without duplicates. */
  underWay(): readonly string[]
  /** Resolves when the hooks of a feature that are running now have ended. */
  ended(feature: string): Promise<void>
  /** Notes that the plugin of a feature was stopped. */
  noteStopped(feature: string): void
  /** Notes that its code still ran after that, as a timer does that it never cleared. Not of a plugin that only begins. */
  noteStray(feature: string): void
  /** The features whose code did. */
  strays(): readonly string[]
  /** Forgets the failures of a feature, or of one hook, such as `link.x setup`. */
  forget(name: string): void
}

export interface HookHealth {
  /** Consecutive failures up to now; of the worst link or account, if each has its own count. */
  readonly failures: number
  /** True: the hook counts as failed without being run, except for one try every 30 s. */
  readonly open: boolean
  readonly last: string
  /** Where the plugin's code threw the last error. */
  readonly stack?: string
}

/** How many failures of a hook are logged within `linesMs` milliseconds. */
const maxLines = 20
const linesMs = 30_000

/** The most characters of a reason: whole answers of other servers end up in messages. */
const maxReason = 1_000

/** The maximum number of breakers. Beyond it, the one that failed longest ago is forgotten. */
const maxBreakers = 1_000

/** How long the failures of one link, client or account are remembered after the last one, in milliseconds. */
const rememberMs = 600_000

export interface ContainmentOptions {
  readonly monotonicMs?: () => number
  /** For tests: how long any hook may take, in milliseconds, instead of its budget. */
  readonly patienceMs?: number | undefined
}

/**
 * Failures are counted by who caused them, because only their input may be wrong: failures in an account's requests by
 * account, failures in visits by link, or by client where there is no link. The hook still runs for all others. They
 * are forgotten when nothing more has failed for ten minutes: the link or the account may be gone, and no call of another ends them.
 */
export function createContainment(
  log: Log,
  { monotonicMs = () => performance.now(), patienceMs }: ContainmentOptions = {},
): Containment {
  /** The one that failed longest ago comes first. */
  const breakers = new Map<string, Breaker>()
  const lines = new Map<string, Lines>()
  const waiting = new Map<Promise<unknown>, string>()
  const strays = new Set<string>()
  const stopped = new Set<string>()
  const guessing = createCounts()
  const writingTime = createWritingTime(log)

  function watch<T>(name: string, result: Promise<T>): Promise<T> {
    waiting.set(result, name)
    const ended = () => void waiting.delete(result)
    result.then(ended, ended)
    return result
  }

  function forgetOld(): void {
    const now = monotonicMs()
    for (const [key, { isOfOne, failedAt }] of breakers) {
      if (now - failedAt < rememberMs) return
      if (isOfOne) breakers.delete(key)
    }
  }

  function fail(asked: Asked, error: Error): Breaker {
    forgetOld()
    const { isVisit = false, account } = asked
    const key = keyOf(asked)
    const isOfOne = isVisit || account !== undefined
    const breaker = breakers.get(key) ?? new Breaker(nameOf(asked), isOfOne)
    breakers.delete(key)
    breakers.set(key, breaker)
    if (breakers.size > maxBreakers) breakers.delete(breakers.keys().next().value ?? '')
    // A hook that throws on a visit keeps nobody waiting: a breaker would only close the link to other visitors.
    const stack = error instanceof OurWord ? undefined : stackOf(error)
    breaker.fail(
      { why: shorten(messageForPeople(error), maxReason), stack },
      monotonicMs(),
      !isVisit || error instanceof Late,
    )
    return breaker
  }

  /** A client that sends visits as fast as it can must not fill the disk with failures. */
  function mayLog(name: string): boolean {
    const now = monotonicMs()
    const before = lines.get(name)
    const { since, count } =
      before && now - before.since < linesMs ? before : { since: now, count: 0 }
    lines.set(name, { since, count: count + 1 })
    return count < maxLines
  }

  function isOpen(asked: Asked): boolean {
    return breakers.get(keyOf(asked))?.isOpen(monotonicMs()) === true
  }

  function passed<T>(value: T, asked: () => Asked, { check }: CallDetails = {}): Contained<T> {
    // A check would look at each of a million bytes.
    const wrong = ArrayBuffer.isView(value) ? 'it returned bytes' : check?.(value)
    if (wrong !== undefined) throw new OurWord(wrong)
    if (breakers.size > 0) breakers.delete(keyOf(asked()))
    return { ok: true, value }
  }

  function failed(thrown: unknown, asked: Asked): Contained<never> {
    const error = caught(thrown)
    if (error instanceof Overloaded) return { ok: false, isOverloaded: true, error }
    const { feature, hook, part = hook, link } = asked
    const name = nameOf(asked)
    const isGone = isDangling(error)
    if (isOfStorage(error) && (isGone || isStorageTrouble(error))) {
      // Health and the log report the storage itself; and an account is deleted now and then while something is done in it.
      if (isGone && mayLog(name)) {
        const about = { feature, hook, part, error }
        log.warn(`${name} wrote of something that is not there any more`, about)
      }
      return { ok: false, isUnavailable: true, error }
    }
    const { failures } = fail(asked, error)
    if (mayLog(name)) {
      const about = { feature, hook, part, ...(link !== undefined && { link }) }
      log.error(`${name} failed: ${shorten(error.message, maxReason)}`, {
        ...about,
        failures,
        error,
      })
    }
    return error instanceof Late ? { ok: false, isUnanswered: true } : { ok: false }
  }

  return {
    run(feature, hook, work, details) {
      // Usually nothing has failed, and then nobody needs what this gathers.
      const asked = () => ({ feature, hook, ...details })
      if (breakers.size > 0 && isOpen(asked())) return { ok: false, isUnanswered: true }
      try {
        const given = work()
        if (!isThenable(given)) return passed(given, asked, details)
        const value = Promise.resolve(given)
        const usualMs = patienceMs ?? budgets[hook]
        const isWriting = details?.isWriting === true
        const budgetMs = isWriting ? writingTime.allowed(feature, usualMs) : usualMs
        return within(budgetMs, watch(nameOf(asked()), value), late)
          .then(it => {
            const mayBeLate = it === late && details?.isVisit && guessing.has(feature)
            return mayBeLate ? within(guessMs, value, late) : it
          })
          .then(it => {
            if (it === late) {
              if (isWriting) writingTime.tookLonger(feature, budgetMs)
              throw new Late(`no answer within ${budgetMs} ms`)
            }
            if (isWriting) writingTime.ended(feature)
            return passed(it, asked, details)
          })
          .catch(error => failed(error, asked()))
      } catch (error) {
        return failed(error, asked())
      }
    },
    async guess(feature, checked) {
      guessing.add(feature)
      try {
        const answer = await within(patienceMs ?? guessMs, checked, late)
        if (answer === late) throw new Overloaded('A guess was not checked in time.')
        return answer
      } finally {
        guessing.remove(feature)
      }
    },
    writingTime,
    noteStopped: feature => void stopped.add(feature),
    noteStray: feature => void (stopped.has(feature) && strays.add(feature)),
    strays: () => [...strays],
    underWay: () => [...new Set(waiting.values())],
    async ended(feature) {
      const calls = [...waiting].filter(([, name]) => name.startsWith(`${feature} `))
      await Promise.allSettled(calls.map(([work]) => work))
    },
    forget(name) {
      writingTime.forget(name)
      for (const [key, breaker] of breakers) {
        if (`${breaker.name} `.startsWith(`${name} `)) breakers.delete(key)
      }
    },
    health() {
      forgetOld()
      const worst = [...breakers.values()].sort((a, b) => a.failures - b.failures)
      return Object.fromEntries(
        worst.map(({ name, failures, isResting, last, stack }) => [
          name,
          { failures, open: isResting, last, ...(stack !== undefined && { stack }) },
        ]),
      )
    },
  }
}

/** A call of a hook, with its details. */
interface Asked extends CallDetails {
  readonly feature: string
  readonly hook: Hook
}

function nameOf({ feature, hook, part = hook }: Asked): string {
  return `${feature} ${part}`
}

/** The key by which failures of a call are counted. */
function keyOf(asked: Asked): string {
  const { isVisit, link, client, account } = asked
  return `${nameOf(asked)} ${isVisit ? (link ?? client) : (account ?? '')}`
}

/** The number of lines logged since a moment. */
interface Lines {
  readonly since: number
  readonly count: number
}

/** An error of ours, not one that the plugin threw. */
class OurWord extends Error {}

/** A hook did not answer within its budget. */
class Late extends OurWord {}

const late = Symbol('late')
