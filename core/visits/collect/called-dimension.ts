import type { NamedDimension } from '../facts/dimensions.ts'

/**
 * Which dimension of an installed plugin a thread is calling, or whether it is loading plugins, in shared memory: a
 * thread stuck in a loop cannot tell.
 */
export type CalledDimension = Int32Array<SharedArrayBuffer>

/** A plugin from outside, with the names of its dimensions. */
interface Askable {
  readonly feature: string
  readonly dimensions: readonly string[]
}

/** Indexes: the number of the dimension being called, 0 for none; how many calls there were; 1 while plugins load. */
const [which, times, loading] = [0, 1, 2]

/** How many checks in a row must find the same call for the plugin to count as stuck. */
const looks = 5

export function newCalledDimension(): CalledDimension {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
}

/** Loads plugins, and notes in `called` that they are loading. */
export async function notingLoad<T>(called: CalledDimension, load: () => Promise<T>): Promise<T> {
  Atomics.store(called, loading, 1)
  try {
    return await load()
  } finally {
    Atomics.store(called, loading, 0)
  }
}

export function arePluginsLoading(called: CalledDimension): boolean {
  return Atomics.load(called, loading) === 1
}

/** The same dimensions, but those of installed plugins are noted in `called` while they run. */
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
          return dimension.of(visit, undefined)
        } finally {
          Atomics.store(called, which, 0)
        }
      },
    }
  })
}

/** The dimension that a thread called when it ended. */
export function calledNow(outside: readonly Askable[], called: CalledDimension) {
  return namesOf(outside)[Atomics.load(called, which) - 1]
}

/** A plugin that does not answer. */
export interface StuckPlugin {
  /** Undefined if it is one of the plugins from outside, but it is not known which. */
  readonly feature: string | undefined
  /** The end of "acme.mood …", without a full stop. */
  readonly why: string
}

/**
 * Creates the function that checks whether the thread is still in the same call. It counts checks instead of time,
 * because a process that was suspended for a while is not stuck.
 *
 * @param lookMs the interval at which it is called
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
