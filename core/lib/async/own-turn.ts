import { setImmediate } from 'node:timers'

const waiting: (() => void)[] = []
const putOffs: { readonly work: () => void; readonly until: number }[] = []
let turn = 0
let isAwake = false

/**
 * Resolves in a turn of the event loop of one's own: whoever asks goes on in the order of asking, one in each
 * turn. SQLite and all else that is done for the API runs on the thread that redirects, which get their turn
 * between any two pieces of it. Timers and immediates of Node's own would not do: all that are due run in one go.
 */
export function ownTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    wakeUp()
  })
}

/**
 * Put off what is done once for all who are at work: until nobody waits for a turn, which may be now, but for
 * so many turns at most.
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
