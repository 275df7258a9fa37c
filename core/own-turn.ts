import { setImmediate } from 'node:timers'

const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop of one's own: whoever asks goes on in the order of asking, one in each
 * turn. SQLite and all else that is done for the API runs on the thread that redirects, which get their turn
 * between any two pieces of it. Timers and immediates of Node's own would not do: all that are due run in one go.
 */
export function ownTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(letOneGoOn)
  })
}

function letOneGoOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letOneGoOn)
}
