import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { CodeRules, CustomHost } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { afterHosts, type RulesOf, readCodeRules, usualRules } from '../codes/code-rules.ts'
import { type Contested, rememberHosts, type SaidHosts } from './hosts-of-plugins.ts'

/** How soon plugins are asked again after a failure, in milliseconds. */
const againMs = 5_000

/** The hosts of short links besides that of the base URL, as visitors find them now. */
export interface Hosts {
  /** By name. `shut`: the host has links, but nothing answers for it, for example because its plugin is off. */
  all(): ReadonlyMap<string, CustomHost | 'shut'>
  /** The rules for codes on a host; '' is that of the base URL. */
  readonly rulesOf: RulesOf
  /**
   * Lists the hosts anew; resolves when visitors see the result, to the plugins that could not list theirs. What such a
   * plugin listed before stays, and all are asked again until none fails. Throws if the database does not answer.
   */
  refresh(): Promise<readonly string[]>
  /** How often plugins listed others than before. */
  learnt(): number
  /**
   * Asks this plugin alone, and does the same where it lists others than before. Tells other servers if anything is another than
   * `since`, when so much was learnt: whoever asked meanwhile for another reason told nobody. Throws if the plugin fails.
   */
  refreshOf(feature: string, since: number): Promise<void>
  /** The plugins that could not list their hosts when they were last asked. */
  failing(): readonly string[]
  /** The hosts that a plugin names although another one has them. */
  contested(): readonly Contested[]
  /** Forgets the hosts of a deleted account. */
  forget(accountId: number): void
  /** Calls `listener` after each change, until the function that this returns is called. */
  onChange(listener: () => void): () => void
}

/**
 * Keeps the hosts in memory, so that no visit waits for them. `ask` returns all hosts that somebody answers
 * for; `ownNames`, our own hosts, are never among them.
 */
export function createHosts({
  db,
  ownNames,
  ask,
  tell,
  signal,
}: {
  readonly db: Database
  readonly ownNames: readonly string[]
  ask(only?: string): Promise<SaidHosts>
  /** Has other servers ask too. */
  tell(): Promise<void>
  /** Ends asking again. */
  readonly signal: AbortSignal
}): Hosts {
  const { all: named, learn, learnt, failing, contested, forget } = rememberHosts(ask, ownNames)
  const listeners = new Set<() => void>()
  let all: ReadonlyMap<string, CustomHost | 'shut'> = new Map()
  let closed: ReadonlySet<number | null> = new Set()
  let rules: ReadonlyMap<string, CodeRules> = new Map()
  let arranging: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function become(shut: readonly string[]): void {
    const now = new Map<string, CustomHost | 'shut'>(shut.map(name => [name, 'shut']))
    for (const it of named()) now.set(it.name, closed.has(it.accountId) ? bare(it) : it)
    for (const name of ownNames) now.delete(name)
    all = now
    for (const listener of listeners) listener()
  }

  /** Puts what is in the database and what plugins said in the place of what visitors see. */
  async function arrange(): Promise<void> {
    const withLinks = await findDomains(db)
    const set = await readCodeRules(db)
    closed = await accountsWithClosedLinks(db)
    rules = set
    become(withLinks)
  }

  async function arrangeNext(): Promise<void> {
    await arranging?.catch(() => undefined)
    arranging = next
    next = undefined
    await arrange()
  }

  /** Whoever asks while that is done has it done once more, together with all others who do. */
  function arranged(): Promise<void> {
    next ??= arrangeNext()
    return next
  }

  async function orAskAgain<T>(work: () => Promise<T>): Promise<T> {
    let isWhole = false
    try {
      const result = await work()
      isWhole = failing().length === 0
      return result
    } finally {
      clearTimeout(timer)
      const again = () => void (signal.aborted || refresh().catch(() => undefined))
      if (!isWhole) timer = setTimeout(again, againMs).unref()
    }
  }

  const refresh = () =>
    orAskAgain(async () => {
      await learn()
      await arranged()
      return failing()
    })

  return {
    all: () => all,
    rulesOf: domain => rules.get(domain) ?? usualRules,
    refresh,
    failing,
    contested,
    learnt,

    async refreshOf(feature, since) {
      let isSame = false
      try {
        await orAskAgain(async () => {
          const isNew = await learn(feature)
          await (isNew ? arranged() : (next ?? arranging))
          if (failing().includes(feature)) throw new Error(`${feature} could not list its hosts.`)
        })
        isSame = learnt() === since
      } finally {
        if (!isSame) await tell()
      }
    },

    forget(accountId) {
      forget(accountId)
      become([...all].flatMap(([name, host]) => (host === 'shut' ? [name] : [])))
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
    const { rows } = await nextDomain(db, { before: domains.at(-1) ?? '' })
    const [next] = rows
    if (!next) return domains
    domains.push(next.domain)
    if (domains.length % inATurn === 0) await yieldToRedirects()
  }
}

/** How many domains are looked up between two turns of redirects. */
const inATurn = 64

const nextDomain = compileOnce((db: Database, { before }: Places<{ before: string }>) =>
  db
    .selectFrom('short_codes')
    .select('domain')
    .where('domain', '>', before)
    .where('domain', '<', afterHosts)
    .where('link_id', 'is not', null)
    .orderBy('domain')
    .limit(1),
)
