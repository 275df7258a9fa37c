import type { Paths } from './reserved-codes.ts'

/** The first segment of a path that a plugin answers outside of the API, and on which hosts. */
export type OwnPath = readonly [path: string, hosts: 'all' | 'base']

/** The paths of plugins that run or are being set up. */
export interface ClaimedPaths {
  /** As they are now, whenever it is read. */
  readonly taken: Paths
  /** Keeps them from new links until the function that it returns is called. */
  claim(paths: readonly OwnPath[]): () => void
}

/** Two versions of a plugin have the same paths while one takes over from the other. */
export function createClaimedPaths(): ClaimedPaths {
  const claims = new Set<readonly OwnPath[]>()
  const taken = new Map<string, 'all' | 'base'>()

  function renew(): void {
    taken.clear()
    for (const [path, hosts] of [...claims].flat()) {
      if (taken.get(path) !== 'all') taken.set(path, hosts)
    }
  }

  return {
    taken,
    claim(paths) {
      const claimed = [...paths]
      claims.add(claimed)
      renew()
      return () => {
        claims.delete(claimed)
        renew()
      }
    },
  }
}
