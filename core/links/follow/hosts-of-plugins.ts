import type { CustomHost } from '../../plugin.ts'

/** What plugins say are their hosts, by feature; undefined: the plugin failed. */
export type SaidHosts = ReadonlyMap<string, readonly CustomHost[] | undefined>

/** The hosts that each plugin named when it last could. */
export interface HostsOfPlugins {
  /** Of two plugins that name the same, the one that was asked first has it. None of our own. */
  all(): readonly CustomHost[]
  /** The plugins that name a host which another one has, with that one. */
  contested(): readonly Contested[]
  /** The plugins that could not name theirs when they were last asked. */
  failing(): readonly string[]
  /** How often any named others than before. */
  learnt(): number
  /** Asks all plugins, or only one. True if any names others than before. */
  learn(only?: string): Promise<boolean>
  /** Forgets the hosts of a deleted account. */
  forget(accountId: number): void
}

/** A host that two plugins name. */
export interface Contested {
  readonly name: string
  /** Whose host it is: a plugin, or this server. */
  readonly owner: string
  /** The plugin that names it too. */
  readonly feature: string
}

interface Said {
  readonly hosts: readonly CustomHost[]
  /** Which of all askings it was. */
  readonly order: number
  readonly fails: boolean
}

/** Keeps what `ask` returns: of a plugin that fails, what it said before. `ownNames`: our own hosts, which no plugin has. */
export function rememberHosts(
  ask: (only?: string) => Promise<SaidHosts>,
  ownNames: readonly string[],
): HostsOfPlugins {
  const said = new Map<string, Said>()
  let asks = 0
  let learnt = 0
  let forgotten = 0

  function take(answers: SaidHosts, order: number, isOfAll: boolean): boolean {
    let isNew = false
    for (const [feature, hosts] of answers) {
      const before = said.get(feature) ?? { hosts: [], order: 0 }
      // It was asked again later, and has answered that already.
      if (before.order > order) continue
      const now = hosts ?? before.hosts
      isNew ||= !areSame(now, before.hosts)
      said.set(feature, { hosts: now, order, fails: hosts === undefined })
    }
    for (const feature of isOfAll ? [...said.keys()] : []) {
      if (!answers.has(feature)) isNew = said.delete(feature)
    }
    if (isNew) learnt += 1
    return isNew
  }

  /** All that are named, by name: by the plugin that was asked first, and by others. */
  function byName() {
    const owners = new Map(ownNames.map(name => [name, 'this server']))
    const all: CustomHost[] = []
    const contested: Contested[] = []
    for (const [feature, { hosts }] of said) {
      for (const host of hosts) {
        const { name } = host
        const owner = owners.get(name)
        if (owner === undefined) {
          owners.set(name, feature)
          all.push(host)
        } else if (owner !== feature) contested.push({ name, owner, feature })
      }
    }
    return { all, contested }
  }

  return {
    all: () => byName().all,
    contested: () => byName().contested,
    failing: () => [...said].flatMap(([feature, { fails }]) => (fails ? [feature] : [])),

    learnt: () => learnt,

    async learn(only) {
      for (;;) {
        asks += 1
        const [order, before] = [asks, forgotten]
        const answers = await ask(only)
        // What they said may have hosts of an account that was deleted meanwhile.
        if (before === forgotten) return take(answers, order, only === undefined)
      }
    },

    forget(accountId) {
      forgotten += 1
      for (const [feature, it] of said) {
        const hosts = it.hosts.filter(host => host.accountId !== accountId)
        said.set(feature, { ...it, hosts })
      }
    },
  }
}

/** There may be thousands, and whoever changes a thing of theirs has them compared. */
function areSame(some: readonly CustomHost[], others: readonly CustomHost[]): boolean {
  const isSame = (it: CustomHost, other: CustomHost | undefined) =>
    (Object.keys(it) as (keyof CustomHost)[]).every(name => it[name] === other?.[name])
  return some.length === others.length && some.every((it, index) => isSame(it, others[index]))
}
