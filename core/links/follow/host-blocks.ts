import type { Refusal } from '../../plugin/outcomes.ts'

/** Addresses that no host may lead to, whatever its account says. */
export interface HostBlocks {
  /** What a plugin says of addresses, in place of all that it said before; it is known by any object. */
  set(plugin: object, refusals: ReadonlyMap<string, Refusal>): void
  /** It says nothing any more. */
  drop(plugin: object): void
  /** What visitors are told instead of being sent to an address. */
  of(url: string): Refusal | undefined
}

export function createHostBlocks(): HostBlocks {
  const said = new Map<object, ReadonlyMap<string, Refusal>>()
  return {
    set(plugin, refusals) {
      said.set(plugin, refusals)
    },
    drop(plugin) {
      said.delete(plugin)
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
