import { AsyncLocalStorage } from 'node:async_hooks'
import type { Actor } from '../plugin/event.ts'

/** Somebody, and the plugins whose changes led to what is done now, each because of the one before. */
export type Acting = Actor & { readonly chain?: readonly string[] | undefined }

const acting = new AsyncLocalStorage<Acting>()

/** How long such a chain may be. Two changes in answer to each make 256 at its end, and would go on for ever. */
const longestChain = 8

/** Runs work in the name of somebody. */
export function actAs<T>(actor: Acting, work: () => T): T {
  return acting.run({ ...chainOf(currentActor()), ...actor }, work)
}

/** Who acts now. */
export function currentActor(): Acting {
  return acting.getStore() ?? { kind: 'system' }
}

/** Runs a change that a plugin makes in somebody's name. Throws if it is one more in a chain that would not end. */
export function changeAs<T>(feature: string, actor: Actor, work: () => T): T {
  const { chain = [] } = currentActor()
  if (isOver(chain, feature)) {
    const others = [...new Set(chain)].filter(it => it !== feature).join(', ')
    throw new Error(
      `${feature} makes a change because a plugin made one, ${longestChain} times in a row. Let it leave out what plugins changed` +
        (others === '' ? '' : `. The others of this chain are ${others}`),
    )
  }
  return actAs({ ...actor, chain: [...chain, feature] }, work)
}

/** Whether a chain of changes is as long as it may be for a plugin that has part in it. Another's mistake stops nobody. */
export function isOver(chain: Acting['chain'] = [], feature: string): boolean {
  return chain.length >= longestChain && chain.includes(feature)
}

function chainOf({ chain }: Acting): Pick<Acting, 'chain'> {
  return chain === undefined ? {} : { chain }
}

/** For whom work waits in line: an account, a plugin, or Linnet itself. */
export function currentLane(): string {
  const actor = currentActor()
  if (actor.kind === 'account') return `account ${actor.accountId}`
  return actor.kind === 'plugin' ? `plugin ${actor.feature}` : ''
}
