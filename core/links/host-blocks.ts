import type { Refusal } from '../outcomes.ts'

/** Addresses that no host may lead to, whatever its account says. */
export interface HostBlocks {
  /** What a feature says of addresses, in place of all that it said before. */
  set(feature: string, refusals: ReadonlyMap<string, Refusal>): void
  /** What visitors are told instead of being sent to an address. */
  of(url: string): Refusal | undefined
}

export function createHostBlocks(): HostBlocks {
  const said = new Map<string, ReadonlyMap<string, Refusal>>()
  return {
    set(feature, refusals) {
      said.set(feature, refusals)
    },
    of(url) {
      for (const refusals of said.values()) {
        const refusal = refusals.get(url)
        if (refusal) return refusal
      }
      return undefined
    },
  }
}
