import { setImmediate } from 'node:timers'

/** Redirects wait no longer than this for work of many pieces, beside the time of one piece. */
const longMs = 10

/** When the first piece of work began in this turn of the event loop. */
let began: number | undefined

/**
 * Says whether pieces of work have taken long in this turn of the event loop: then the next waits for another. Ask before
 * each piece: awaiting what is there already never ends a turn.
 */
export function isLongTurn(): boolean {
  if (began !== undefined) return performance.now() - began > longMs
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
  return false
}
