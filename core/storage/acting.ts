import { AsyncLocalStorage } from 'node:async_hooks'
import type { Actor } from '../plugin/event.ts'

const acting = new AsyncLocalStorage<Actor>()

/** Runs work in the name of somebody. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return acting.run(actor, work)
}

/** Who acts now. */
export function currentActor(): Actor {
  return acting.getStore() ?? { kind: 'system' }
}

/** For whom work waits in line: an account, a plugin, or Linnet itself. */
export function currentLane(): string {
  const actor = currentActor()
  if (actor.kind === 'account') return `account ${actor.accountId}`
  return actor.kind === 'plugin' ? `plugin ${actor.feature}` : ''
}
