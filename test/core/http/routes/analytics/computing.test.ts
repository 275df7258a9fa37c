import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createComputing } from '../../../../../core/http/routes/analytics/computing.ts'
import { createBoundedQueue, Overloaded } from '../../../../../core/lib/async/bounded-queue.ts'

/** Computations that last until `end` is called, two at a time, and one for each who asks. */
function anInstance() {
  const limits = { atOnce: 2, atOnceInLane: 1, maxWaiting: 2, maxWaitMs: 1_000 }
  const begun: string[] = []
  const ends: (() => void)[] = []
  let caughtUp = 0
  const compute = createComputing({
    computations: createBoundedQueue(limits),
    async catchUp() {
      caughtUp += 1
    },
  })
  const ask = (by: string, what: string) =>
    compute({ by, what }, async () => {
      const result = `${what}, ${begun.push(`${by}: ${what}`)}.`
      await new Promise<void>(end => ends.push(end))
      return result
    })
  const end = () => {
    for (const it of ends.splice(0)) it()
  }
  return { begun, ask, end, caughtUp: () => caughtUp }
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

describe('computing numbers', () => {
  it('computes the same numbers once for all who ask while they are computed, with what came meanwhile', async () => {
    const { begun, ask, end, caughtUp } = anInstance()
    const first = ask('ada', 'visits')
    const others = Promise.all(Array.from({ length: 40 }, () => ask('ada', 'visits')))
    await someTurns()
    expect(begun).toEqual(['ada: visits'])
    end()
    expect(await first).toBe('visits, 1.')
    await someTurns()
    expect(begun).toEqual(['ada: visits', 'ada: visits'])
    expect(caughtUp()).toBe(2)
    end()
    expect(new Set(await others)).toEqual(new Set(['visits, 2.']))
  })

  it('holds the sums of some computations, with places for everybody, and refuses too many', async () => {
    const { begun, ask, end } = anInstance()
    const ofAda = ['a', 'b', 'c', 'd', 'e'].map(what => ask('ada', what))
    const settled = Promise.allSettled(ofAda)
    const ofBob = ask('bob', 'f')
    await someTurns()
    expect(begun).toEqual(['ada: a', 'bob: f'])
    for (let times = 0; times < 4; times += 1) {
      end()
      await someTurns()
    }
    expect(await ofBob).toBe('f, 2.')
    const outcomes = await settled
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ])
    const refused = outcomes.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: expect.any(Overloaded) })
  })
})
