import type { PlaceFact } from './visit.ts'

/**
 * The files that tell where visitors are.
 *
 * @example
 * const since = places.newerBuiltAt('city')
 * if (isOld(since)) await places.replace('city', chunks)
 */
export interface PlaceKeeper {
  /** When the data of the newer file of a fact was put together; undefined: there is none, or it does not say. */
  newerBuiltAt(fact: PlaceFact): Date | undefined
  /**
   * Put an MMDB file in the place of what came with Linnet; both threads read it within half a minute. Throws a sentence
   * when it is none, tells something else or is too large, and then nothing has changed.
   */
  replace(fact: PlaceFact, content: AsyncIterable<Uint8Array>): Promise<void>
}
