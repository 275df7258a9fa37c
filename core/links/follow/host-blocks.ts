import type { Refusal } from '../../plugin/outcomes.ts'

/** Addresses that no host may lead to, whatever its account says. */
export interface HostBlocks {
  /** Sets which addresses a plugin blocks, in place of those it blocked before. Any object can stand for the plugin. */
  set(plugin: object, refusals: ReadonlyMap<string, Refusal>): void
  /** Forgets what a plugin blocks. */
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
