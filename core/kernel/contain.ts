import { Overloaded } from '../bounded-queue.ts'
import type { Later, Log } from '../plugin.ts'
import { isDamage } from '../storage/damage.ts'

/** How long a hook may take before it counts as failed, in milliseconds. */
export const budgets = {
  setup: 10_000,
  dispose: 5_000,
  compile: 2_000,
  prepare: 5_000,
  validate: 5_000,
  save: 5_000,
  show: 5_000,
  guard: 2_000,
  target: 250,
  view: 2_000,
  hosts: 5_000,
  on: 30_000,
  endpoint: 10_000,
} as const

export type Hook = keyof typeof budgets

/** What came of a contained hook. */
export type Contained<T> =
  | { readonly ok: true; readonly value: T }
  /** `isOverloaded`: it is not the plugin's fault, there is too much to do. */
  | { readonly ok: false; readonly isOverloaded?: true }

/** The wall around plugin code: a hook that throws or is late is logged, counted and left behind. */
export interface Containment {
  run<T>(feature: string, hook: Hook, work: () => Later<T>): Promise<Contained<T>>
  /** Failing hooks, for health: `{ 'link.x guard': { failures: 20, open: true, last: '…' } }`. */
  health(): Readonly<Record<string, HookHealth>>
  /** Hooks that have begun and not ended, late or not, as `link.x endpoint`; none twice. */
  underWay(): readonly string[]
}

export interface HookHealth {
  /** In a row, up to now. */
  readonly failures: number
  /** True: answered as failed without being asked, but for one try every 30 s. */
  readonly open: boolean
  readonly last: string
}

const failuresToOpen = 20
const retryMs = 30_000

export interface ContainmentOptions {
  readonly monotonicMs?: () => number
  /** For tests, in place of every budget: how long any hook may take, in milliseconds. */
  readonly patienceMs?: number | undefined
}

export function createContainment(
  log: Log,
  { monotonicMs = () => performance.now(), patienceMs }: ContainmentOptions = {},
): Containment {
  const breakers = new Map<string, Breaker>()
  const waiting = new Map<Promise<unknown>, string>()

  /** What answers at once is none of it. */
  function watch<T>(name: string, result: Later<T>): Later<T> {
    if (!(result instanceof Promise)) return result
    waiting.set(result, name)
    const ended = () => void waiting.delete(result)
    result.then(ended, ended)
    return result
  }

  return {
    async run(feature, hook, work) {
      const name = `${feature} ${hook}`
      const breaker = breakers.get(name)
      if (breaker?.isOpen(monotonicMs())) return { ok: false }
      try {
        const value = await within(patienceMs ?? budgets[hook], () => watch(name, work()))
        if (breaker) breakers.delete(name)
        return { ok: true, value }
      } catch (error) {
        if (error instanceof Overloaded) return { ok: false, isOverloaded: true }
        // Health and log speak of the database; no plugin is to blame.
        if (isDamage(error)) return { ok: false }
        const failed = breakers.get(name) ?? new Breaker()
        breakers.set(name, failed)
        failed.fail(reason(error), monotonicMs())
        log.error(`${name} failed: ${reason(error)}`, { feature, hook, failures: failed.failures })
        return { ok: false }
      }
    },
    underWay: () => [...new Set(waiting.values())],
    health: () =>
      Object.fromEntries(
        [...breakers].map(([name, { failures, last }]) => [
          name,
          { failures, open: failures >= failuresToOpen, last },
        ]),
      ),
  }
}

/** Counts failures in a row of one hook; past the limit it is asked again only now and then. */
class Breaker {
  failures = 0
  last = ''
  #askAgainAt = 0

  fail(why: string, now: number): void {
    this.failures += 1
    this.last = why
    this.#askAgainAt = now + retryMs
  }

  isOpen(now: number): boolean {
    if (this.failures < failuresToOpen || now < this.#askAgainAt) {
      return this.failures >= failuresToOpen
    }
    this.#askAgainAt = now + retryMs
    return false
  }
}

async function within<T>(budgetMs: number, work: () => Later<T>): Promise<T> {
  const result = work()
  if (!(result instanceof Promise)) return result
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${budgetMs} ms`)), budgetMs)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
