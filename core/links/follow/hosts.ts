import type { CodeRules, CustomHost } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { afterHosts, type RulesOf, readCodeRules, usualRules } from '../codes/code-rules.ts'

/** How soon plugins are asked again after a failure, in milliseconds. */
const againMs = 5_000

/** The hosts of short links besides that of the base URL, as visitors find them now. */
export interface Hosts {
  /** By name. `shut`: the host has links, but nothing answers for it, for example because its plugin is off. */
  all(): ReadonlyMap<string, CustomHost | 'shut'>
  /** The rules for codes on a host; '' is that of the base URL. */
  readonly rulesOf: RulesOf
  /**
   * Lists the hosts anew; resolves when visitors see the result. Throws if that fails; the known hosts then stay, and
   * plugins are asked again until they answer.
   */
  refresh(): Promise<void>
  /** The plugin that could not list its hosts when it was last asked. */
  failing(): string | undefined
  /** Forgets the hosts of a deleted account. */
  forget(accountId: number): void
  /** Calls `listener` after each change, until the function that this returns is called. */
  onChange(listener: () => void): () => void
}

/**
 * Keeps the hosts in memory, so that no visit waits for them. `ask` returns all hosts that somebody answers
 * for, or the name of the plugin that fails; `ownNames`, our own hosts, are never among them.
 */
export function createHosts({
  db,
  ownNames,
  ask,
  signal,
}: {
  readonly db: Database
  readonly ownNames: readonly string[]
  ask(): Promise<readonly CustomHost[] | string>
  /** Ends asking again. */
  readonly signal: AbortSignal
}): Hosts {
  const listeners = new Set<() => void>()
  let all: ReadonlyMap<string, CustomHost | 'shut'> = new Map()
  let answered: readonly CustomHost[] = []
  let closed: ReadonlySet<number | null> = new Set()
  let rules: ReadonlyMap<string, CodeRules> = new Map()
  let generation = 0
  let failing: string | undefined
  let listing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function become(shut: readonly string[], hosts: readonly CustomHost[]): void {
    answered = hosts
    const named = new Map<string, CustomHost | 'shut'>(shut.map(name => [name, 'shut']))
    for (const host of hosts) named.set(host.name, closed.has(host.accountId) ? bare(host) : host)
    for (const name of ownNames) named.delete(name)
    all = named
    for (const listener of listeners) listener()
  }

  async function list(): Promise<void> {
    for (;;) {
      const before = generation
      const [withLinks, set] = [await findDomains(db), await readCodeRules(db)]
      const shutOut = await accountsWithClosedLinks(db)
      const hosts = await ask()
      // Something changed meanwhile: what was found may be old.
      if (before !== generation) continue
      rules = set
      closed = shutOut
      failing = typeof hosts === 'string' ? hosts : undefined
      become(withLinks, typeof hosts === 'string' ? answered : hosts)
      if (failing !== undefined) throw new Error('The hosts could not be listed.')
      return
    }
  }

  async function listOrAskAgain(): Promise<void> {
    clearTimeout(timer)
    try {
      await list()
    } catch (error) {
      const again = () => void (signal.aborted || refresh().catch(() => undefined))
      timer = setTimeout(again, againMs).unref()
      throw error
    } finally {
      listing = undefined
    }
  }

  /** Whoever asks while hosts are listed has them listed once more, together with all others who do. */
  function refresh(): Promise<void> {
    generation += 1
    listing ??= listOrAskAgain()
    return listing
  }

  return {
    all: () => all,
    rulesOf: domain => rules.get(domain) ?? usualRules,
    refresh,
    failing: () => failing,

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

/** A host that leads nowhere by itself. */
function bare(host: CustomHost): CustomHost {
  return { ...host, rootUrl: null, notFoundUrl: null }
}

async function accountsWithClosedLinks(db: Database): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('accounts').select('id').where('links_closed', '=', 1).execute()
  return new Set(rows.map(({ id }) => id))
}

/** The domains of all codes that lead to links, former codes included. Each takes one short look-up in the key. */
async function findDomains(db: Database): Promise<readonly string[]> {
  const domains: string[] = []
  for (;;) {
    const next = await db
      .selectFrom('short_codes')
      .select('domain')
      .where('domain', '>', domains.at(-1) ?? '')
      .where('domain', '<', afterHosts)
      .where('link_id', 'is not', null)
      .orderBy('domain')
      .limit(1)
      .executeTakeFirst()
    if (!next) return domains
    domains.push(next.domain)
  }
}
