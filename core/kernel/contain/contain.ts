import { Overloaded } from '../../lib/async/bounded-queue.ts'
import { within } from '../../lib/async/within.ts'
import type { Later, Log } from '../../plugin.ts'
import { isDamage } from '../../storage/files/damage.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { Breaker } from './breaker.ts'
import type { Check } from './check-answers.ts'
import { stackOf } from './stack-of.ts'

/** How long a hook may take before it counts as failed, in milliseconds. */
const budgets = {
  migration: 60_000,
  setup: 10_000,
  dispose: 5_000,
  compile: 2_000,
  prepare: 5_000,
  validate: 5_000,
  save: 5_000,
  computed: 5_000,
  status: 5_000,
  filter: 5_000,
  usage: 5_000,
  guard: 2_000,
  target: 250,
  view: 2_000,
  hosts: 5_000,
  on: 30_000,
  endpoint: 10_000,
  mount: 10_000,
} as const

export type Hook = keyof typeof budgets

/** What came of a contained hook. */
export type Contained<T> =
  | { readonly ok: true; readonly value: T }
  /** It is not the plugin's fault: there is too much to do, or the storage cannot be reached or is damaged. */
  | {
      readonly ok: false
      readonly isOverloaded?: true
      readonly isUnavailable?: true
      /** What was thrown then. */
      readonly error?: unknown
    }

/** What a hook gave; undefined when it failed. Throws what is no fault of the plugin's. */
export function unlessFailed<T>(answer: Contained<T>): T | undefined {
  if (answer.ok) return answer.value
  if (answer.isOverloaded || answer.isUnavailable) throw answer.error
  return undefined
}

/** What is told of a hook, besides what it is. */
export interface CallDetails {
  /** Which of several it is, as `on.created` or `GET /moods`. */
  readonly part?: string
  /** Id of the link that it is about. */
  readonly link?: string
  /** Row of the account whose request asks it. */
  readonly account?: number
  /** It is a visit that asks, and not an account. */
  readonly isVisit?: boolean
  /** What is wrong with an answer, as one sentence: then the hook failed. */
  readonly check?: Check
}

/** The wall around plugin code: a hook that throws, is late or answers nonsense is logged and left behind. */
export interface Containment {
  /** What answers at once is contained at once. */
  run<T>(feature: string, hook: Hook, work: () => Later<T>, told?: CallDetails): Later<Contained<T>>
  /** Failing hooks, for health: `{ 'link.x guard': { failures: 20, open: true, last: '…' } }`. */
  health(): Readonly<Record<string, HookHealth>>
  /** Hooks that have begun and not ended, late or not, as `link.x GET /x`; none twice. */
  underWay(): readonly string[]
  /** Resolves when the hooks of a feature that have begun by now have ended. */
  ended(feature: string): Promise<void>
  /** Forget the failures of a feature, or of one hook as `link.x setup`: what runs next has none. */
  forget(name: string): void
}

export interface HookHealth {
  /** In a row, up to now; where they are counted apart, of the worst. */
  readonly failures: number
  /** True: answered as failed without being asked, but for one try every 30 s. */
  readonly open: boolean
  readonly last: string
  /** Where code of the plugin threw that. */
  readonly stack?: string
}

/** A hook is told of so often in so many milliseconds. */
const maxLines = 20
const linesMs = 30_000

/** Failures are counted for so many at most: the one that failed first is forgotten. */
const maxBreakers = 1_000

export interface ContainmentOptions {
  readonly monotonicMs?: () => number
  /** For tests, in place of every budget: how long any hook may take, in milliseconds. */
  readonly patienceMs?: number | undefined
}

/**
 * Failures count against those who brought them about, since their input may be all that is wrong: those
 * of an account's requests against the account, those of visits against the link. Others are asked on.
 */
export function createContainment(
  log: Log,
  { monotonicMs = () => performance.now(), patienceMs }: ContainmentOptions = {},
): Containment {
  const breakers = new Map<string, Breaker>()
  const lines = new Map<string, Lines>()
  const waiting = new Map<Promise<unknown>, string>()

  function watch<T>(name: string, result: Promise<T>): Promise<T> {
    waiting.set(result, name)
    const ended = () => void waiting.delete(result)
    result.then(ended, ended)
    return result
  }

  function fail(name: string, key: string, error: unknown, isVisit: boolean): Breaker {
    const breaker = breakers.get(key) ?? new Breaker(name)
    breakers.set(key, breaker)
    if (breakers.size > maxBreakers) breakers.delete(breakers.keys().next().value ?? '')
    // What throws was not waited for: a rest would save nothing, and shut the link to other visitors.
    const stack = error instanceof OurWord ? undefined : stackOf(error)
    breaker.fail({ why: reason(error), stack }, monotonicMs(), !isVisit || error instanceof Late)
    return breaker
  }

  /** One who visits as fast as they can must not fill the disk with what their visits fail of. */
  function mayLog(name: string): boolean {
    const now = monotonicMs()
    const before = lines.get(name)
    const { since, count } =
      before && now - before.since < linesMs ? before : { since: now, count: 0 }
    lines.set(name, { since, count: count + 1 })
    return count < maxLines
  }

  function isOpen(asked: Asked): boolean {
    // Most of the time nothing has failed.
    return breakers.size > 0 && breakers.get(keyOf(asked))?.isOpen(monotonicMs()) === true
  }

  function passed<T>(value: T, asked: Asked): Contained<T> {
    const wrong = asked.check?.(value)
    if (wrong !== undefined) throw new OurWord(wrong)
    if (breakers.size > 0) breakers.delete(keyOf(asked))
    return { ok: true, value }
  }

  function failed(error: unknown, asked: Asked): Contained<never> {
    if (error instanceof Overloaded) return { ok: false, isOverloaded: true, error }
    // Health and log speak of the storage; no plugin is to blame.
    if (isDamage(error) || isOutOfReach(error)) return { ok: false, isUnavailable: true, error }
    const { feature, hook, part = hook, link, isVisit } = asked
    const name = nameOf(asked)
    const { failures } = fail(name, keyOf(asked), error, isVisit === true)
    if (mayLog(name)) {
      const about = { feature, hook, part, ...(link !== undefined && { link }) }
      log.error(`${name} failed: ${reason(error)}`, { ...about, failures, error })
    }
    return { ok: false }
  }

  return {
    run(feature, hook, work, told) {
      const asked = { feature, hook, ...told }
      if (isOpen(asked)) return { ok: false }
      try {
        const value = work()
        if (!(value instanceof Promise)) return passed(value, asked)
        const budgetMs = patienceMs ?? budgets[hook]
        return within(budgetMs, watch(nameOf(asked), value), late)
          .then(it => {
            if (it === late) throw new Late(`no answer within ${budgetMs} ms`)
            return passed(it, asked)
          })
          .catch(error => failed(error, asked))
      } catch (error) {
        return failed(error, asked)
      }
    },
    underWay: () => [...new Set(waiting.values())],
    async ended(feature) {
      const begun = [...waiting].filter(([, name]) => name.startsWith(`${feature} `))
      await Promise.allSettled(begun.map(([work]) => work))
    },
    forget(name) {
      for (const [key, breaker] of breakers) {
        if (`${breaker.name} `.startsWith(`${name} `)) breakers.delete(key)
      }
    },
    health() {
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

/** A hook that was asked, and what is told of it. */
interface Asked extends CallDetails {
  readonly feature: string
  readonly hook: Hook
}

function nameOf({ feature, hook, part = hook }: Asked): string {
  return `${feature} ${part}`
}

/** What its failures are counted for. */
function keyOf(asked: Asked): string {
  const { isVisit, link, account } = asked
  return `${nameOf(asked)} ${isVisit ? link : (account ?? '')}`
}

/** How many lines there were, since a moment. */
interface Lines {
  readonly since: number
  readonly count: number
}

/** Nothing was thrown: it is we who say what is wrong. */
class OurWord extends Error {}

/** A hook did not answer within its budget. */
class Late extends OurWord {}

const late = Symbol('late')

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
