import type { CustomHost } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'

/** The hosts that short links live on beside that of the base URL, as visitors find them now. */
export interface Hosts {
  /** By name. `shut`: there are links, but nothing answers for the host, as when its plugin is off. */
  all(): ReadonlyMap<string, CustomHost | 'shut'>
  /** Find out anew; done when visitors see it. Throws when that cannot be said: what was stays. */
  refresh(): Promise<void>
  /** Let go of the hosts of an account that is gone. */
  forget(accountId: number): void
  /** Called after each change, until the function that it gives is called. */
  onChange(listener: () => void): () => void
}

/**
 * Keep the hosts in memory: no visit waits for them. `ask` gives all that somebody answers for, undefined
 * when it fails; `ownName`, the host of the base URL, is never one of them.
 */
export function createHosts({
  db,
  ownName,
  ask,
}: {
  readonly db: Database
  readonly ownName: string
  ask(): Promise<readonly CustomHost[] | undefined>
}): Hosts {
  const listeners = new Set<() => void>()
  let all: ReadonlyMap<string, CustomHost | 'shut'> = new Map()
  let answered: readonly CustomHost[] = []
  let generation = 0

  function become(shut: readonly string[], hosts: readonly CustomHost[]): void {
    answered = hosts
    const named = new Map<string, CustomHost | 'shut'>(shut.map(name => [name, 'shut']))
    for (const host of hosts) named.set(host.name, host)
    named.delete(ownName)
    all = named
    for (const listener of listeners) listener()
  }

  return {
    all: () => all,

    async refresh() {
      generation += 1
      for (;;) {
        const before = generation
        const [withLinks, hosts] = [await findDomains(db), await ask()]
        // Something changed meanwhile: what was found may be old.
        if (before !== generation) continue
        become(withLinks, hosts ?? answered)
        if (!hosts) throw new Error('The hosts could not be listed.')
        return
      }
    },

    forget(accountId) {
      generation += 1
      const isShut = ([, host]: readonly [string, unknown]) => host === 'shut'
      become(
        [...all].filter(isShut).map(([name]) => name),
        answered.filter(host => host.accountId !== accountId),
      )
    },

    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The domains that codes of links are on, former ones too: one short look into the key for each. */
async function findDomains(db: Database): Promise<readonly string[]> {
  const domains: string[] = []
  for (;;) {
    const next = await db
      .selectFrom('short_codes')
      .select('domain')
      .where('domain', '>', domains.at(-1) ?? '')
      .where('link_id', 'is not', null)
      .orderBy('domain')
      .limit(1)
      .executeTakeFirst()
    if (!next) return domains
    domains.push(next.domain)
  }
}
