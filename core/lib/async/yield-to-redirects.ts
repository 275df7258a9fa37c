import { setImmediate } from 'node:timers'

const waiting: (() => void)[] = []
const putOffs: { readonly work: () => void; readonly until: number }[] = []
let turn = 0
let isAwake = false

/**
 * Resolves in a turn of the event loop that no other caller shares: callers go on in the order in which they
 * asked, one in each turn. SQLite and everything else that the API needs runs on the thread that redirects;
 * this way, redirects get their turn between any two pieces of that work. Node's own timers and immediates
 * would not do: all that are due run in one go.
 */
export function yieldToRedirects(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    wakeUp()
  })
}

/** Redirects wait no longer than this for work of many pieces, beside the time of one piece. */
const longMs = 10

/** When the first piece of work that was noted began in this turn of the event loop. */
let began: number | undefined

/** Notes that a piece of work begins. */
export function noteWork(): void {
  if (began !== undefined) return
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
}

/** Like `yieldToRedirects` once the work that was noted has taken long in this turn; otherwise it goes on at once. */
export async function yieldAfterLong(): Promise<void> {
  if (began !== undefined && performance.now() - began > longMs) await yieldToRedirects()
}

/**
 * Puts off work that is done once for all current callers until nobody waits for a turn, for `turns` turns at
 * most. If nobody is waiting now, the work runs at once.
 */
export function putOff(work: () => void, turns: number): void {
  if (waiting.length === 0) work()
  else putOffs.push({ work, until: turn + turns })
}

function wakeUp(): void {
  if (isAwake) return
  isAwake = true
  setImmediate(haveTurn)
}

function haveTurn(): void {
  turn += 1
  isAwake = false
  const [first] = putOffs
  if (first && (waiting.length === 0 || turn > first.until)) {
    putOffs.shift()
    first.work()
  } else waiting.shift()?.()
  if (waiting.length > 0 || putOffs.length > 0) wakeUp()
}
