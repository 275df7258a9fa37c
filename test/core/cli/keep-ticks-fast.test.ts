import { createHook } from 'node:async_hooks'
import { nextTick } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { keepTicksFast } from '../../../core/cli/keep-ticks-fast.ts'
import { itAtNight } from '../../at-night.ts'

setFlagsFromString('--allow-natives-syntax')
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Whether V8 takes two objects for the same kind of thing. */
const areAlike = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean

/** What Node makes of `nextTick` now. */
function nextTickObject(): object {
  const made: object[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') made.push(resource)
    },
  }).enable()
  nextTick(() => undefined)
  hook.disable()
  const [tick] = made
  if (!tick) throw new Error('Node made no tick.')
  return tick
}

itAtNight(
  'Linnet keeps a tick, so that ticks look the same after any garbage collection',
  async () => {
    const kept = keepTicksFast()
    if (!kept) throw new Error('No tick was kept.')
    for (let times = 0; times < 5; times += 1) {
      await new Promise(resolve => setImmediate(resolve))
      collectGarbage()
    }
    expect(areAlike(kept, nextTickObject())).toBe(true)
    expect(areAlike(kept, {})).toBe(false)
    expect(keepTicksFast()).toBe(kept)
  },
)
