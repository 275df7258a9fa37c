import type { NamedDimension } from '../facts/dimensions.ts'

/** Which dimension of an installed plugin a thread is calling, in memory that the other thread reads: a loop cannot tell. */
export type CalledDimension = Int32Array<SharedArrayBuffer>

/** A plugin from outside, with the names of what it counts. */
interface Askable {
  readonly feature: string
  readonly dimensions: readonly string[]
}

/** The number of the dimension, 0 for none; and how often one was called. */
const [which, times] = [0, 1]

/** So many looks in a row that find the same call mean that the plugin is stuck. */
const looks = 5

export function newCalledDimension(): CalledDimension {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** The same dimensions; those of installed plugins are noted in `called` while they run. */
export function notingCalls(
  dimensions: readonly NamedDimension[],
  outside: readonly Askable[],
  called: CalledDimension,
): readonly NamedDimension[] {
  const names = namesOf(outside)
  return dimensions.map(dimension => {
    const { feature, name } = dimension
    const number = 1 + names.findIndex(it => it.feature === feature && it.name === name)
    if (number === 0) return dimension
    return {
      ...dimension,
      of(visit) {
        Atomics.add(called, times, 1)
        Atomics.store(called, which, number)
        try {
          return dimension.of(visit)
        } finally {
          Atomics.store(called, which, 0)
        }
      },
    }
  })
}

/** A plugin that does not answer. */
export interface StuckPlugin {
  /** Undefined: one of those from outside, nobody knows which. */
  readonly feature: string | undefined
  /** The end of "acme.mood …", without a full stop. */
  readonly why: string
}

/**
 * Makes the function that looks whether the thread still asks the same. It counts looks, and not time: a process that
 * was stopped for a while is not stuck.
 *
 * @param lookMs how long after one another it is called
 */
export function watchForStuckPlugin(
  outside: readonly Askable[],
  called: CalledDimension,
  lookMs: number,
): () => StuckPlugin | undefined {
  const names = namesOf(outside)
  let last = -1
  let same = 0
  return () => {
    const now = Atomics.load(called, times)
    const dimension = names[Atomics.load(called, which) - 1]
    same = dimension && now === last ? same + 1 : 0
    last = now
    if (!dimension || same < looks) return undefined
    const { feature, name } = dimension
    const seconds = (looks * lookMs) / 1_000
    return { feature, why: `dimensions.${name}.of did not answer within ${seconds} s` }
  }
}

function namesOf(outside: readonly Askable[]) {
  return outside.flatMap(({ feature, dimensions }) =>
    dimensions.map(name => ({ feature, name }) as const),
  )
}
