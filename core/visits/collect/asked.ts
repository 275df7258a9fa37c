import type { NamedDimension } from '../facts/dimensions.ts'

/** Which dimension from outside a thread is asking, for another thread to see: it cannot say so in an endless loop. */
export type Asked = Int32Array<SharedArrayBuffer>

/** A plugin from outside, with the names of what it counts. */
interface Askable {
  readonly feature: string
  readonly dimensions: readonly string[]
}

/** The number of the dimension, 0 for none; and how often one was asked. */
const [which, times] = [0, 1]

/** So many looks one after the other that find the same question. */
const looks = 5

export function newAsked(): Asked {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** The same dimensions, of which those from outside leave a note while they are asked. */
export function notingAsked(
  dimensions: readonly NamedDimension[],
  outside: readonly Askable[],
  asked: Asked,
): readonly NamedDimension[] {
  const names = namesOf(outside)
  return dimensions.map(dimension => {
    const { feature, name } = dimension
    const number = 1 + names.findIndex(it => it.feature === feature && it.name === name)
    if (number === 0) return dimension
    return {
      ...dimension,
      of(visit) {
        Atomics.add(asked, times, 1)
        Atomics.store(asked, which, number)
        try {
          return dimension.of(visit)
        } finally {
          Atomics.store(asked, which, 0)
        }
      },
    }
  })
}

/** A plugin that does not answer. */
export interface Stuck {
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
export function watchAsked(
  outside: readonly Askable[],
  asked: Asked,
  lookMs: number,
): () => Stuck | undefined {
  const names = namesOf(outside)
  let last = -1
  let same = 0
  return () => {
    const now = Atomics.load(asked, times)
    const dimension = names[Atomics.load(asked, which) - 1]
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
