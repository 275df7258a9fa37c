import { requiredSteps, requireStep } from '../../accounts/access/account-steps.ts'
import { endOfProvider } from '../../accounts/access/sessions/provider-sessions.ts'
import { everybody, whoAre, whoHas } from '../../accounts/accounts.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type {
  AccountFinder,
  Context,
  Guess,
  HostKeeper,
  KnownPlan,
  Links,
  Log,
  Mailer,
  Notices,
  Numbers,
  NumbersOf,
  Plugin,
  PluginFiles,
  SecretKeeper,
  TokenKeeper,
  Transacting,
  Unstable,
  UnstableLinks,
} from '../../plugin.ts'
import { changeAs, currentActor } from '../../storage/acting.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { chooseKinds, isHeard, tell } from '../../storage/outbox.ts'
import { boundLog } from '../contain/bound-log.ts'
import type { WritingTime } from '../contain/writing-time.ts'
import { kindsToldBy } from '../load/names.ts'
import { endTransactions } from './end-transactions.ts'
import { ownTables } from './own-tables.ts'
import { logOfPlugin } from './plugin-log.ts'
import type { NewsOfPlugin } from './plugin-news.ts'
import { createStore } from './plugin-store.ts'

/** What is the same in the context of every plugin. */
type Shared = Pick<Context, 'fetch' | 'now'> &
  Pick<
    Unstable,
    | 'codes'
    | 'kinds'
    | 'geoip'
    | 'resolveTxt'
    | 'whyNoFetch'
    | 'hasNumbers'
    | 'brand'
    | 'imagineVisit'
    | 'measure'
  >

/** What plugins can use, provided by the rest of the core. */
export interface Services extends Shared {
  readonly db: Database
  readonly log: Log
  readonly writingTime: WritingTime
  readonly signal: AbortSignal
  /** Links as the plugin of a feature may use them; `db` may be a transaction. */
  links(feature: string, db: Database): { readonly stable: Links; readonly unstable: UnstableLinks }
  /** Blocks made with it last until `unblockHosts` is called with the same `life`. */
  hosts(life: AbortController): HostKeeper
  unblockHosts(life: AbortController): void
  /** Messages between the copies of a plugin on several servers. */
  news(feature: string, life: AbortController): NewsOfPlugin
  tokens(db: Database): TokenKeeper
  callApi(db: Database): Unstable['callApi']
  newAccount(db: Database): AccountFinder['create']
  tools: Unstable['tools']
  /** Reads analytics of accounts that may use the plugin of a feature. */
  readNumbers(feature: string, of: NumbersOf): Promise<Numbers | undefined>
  isOn(feature: string): boolean
  plans(feature: string): readonly KnownPlan[]
  mail(feature: string): Mailer
  notices(feature: string): Notices
  files(feature: string): PluginFiles
  secrets(feature: string): SecretKeeper
  throttle(key: string, max: number, seconds: number): Promise<boolean>
  guess(feature: string, guess: Guess, isRight: () => Promise<boolean>): Promise<boolean | Refusal>
}

/**
 * The context of a plugin before `setup`. `life` is aborted when the plugin is switched off; `heed` is called for each line
 * that it logs.
 */
export function createContext(
  plugin: Plugin,
  services: Services,
  settings: Readonly<Record<string, unknown>>,
  life: AbortController,
  heed: () => void,
): Context {
  const { feature } = plugin
  const { tell, on } = services.news(feature, life)
  const reach = reachThrough(services.db, plugin, services)
  const { codes, kinds, geoip, fetch, resolveTxt, hasNumbers, brand, imagineVisit, now, measure } =
    services
  const { tools, whyNoFetch } = services
  return {
    ...{ fetch, now },
    settings: settings as Context['settings'],
    state: undefined,
    ...reach,
    db: ownTables(endTransactions(services.db, feature, services.writingTime), feature),
    unstable: {
      ...{
        codes,
        kinds,
        geoip,
        resolveTxt,
        hasNumbers,
        brand,
        imagineVisit,
        measure,
        tools,
        whyNoFetch,
      },
      ...reach.unstable,
      hosts: services.hosts(life),
      readNumbers: of => services.readNumbers(feature, of),
      isOn: () => services.isOn(feature),
      plans: () => services.plans(feature),
      mail: services.mail(feature),
      notices: services.notices(feature),
      files: services.files(feature),
      secrets: services.secrets(feature),
    },
    log: boundLog(logOfPlugin(services.log, feature, heed), feature),
    signal: life.signal,
    news: { on, tell: what => tell(services.db, what) },
    throttle: (key, max, seconds) => services.throttle(`${feature} ${key}`, max, seconds),
    guess: (guess, isRight) => services.guess(feature, guess, isRight),
  }
}

/** The same context with all its reads and writes in a transaction, so that it never waits for that transaction. */
export function contextWithin(
  tx: Tx,
  context: Context,
  plugin: Plugin,
  services: Pick<Services, 'links' | 'tokens' | 'callApi' | 'newAccount' | 'now'>,
): Context {
  const reach = reachThrough(tx, plugin, services)
  return { ...context, ...reach, unstable: { ...context.unstable, ...reach.unstable } }
}

function reachThrough(
  db: Database,
  plugin: Plugin,
  {
    links,
    tokens,
    callApi,
    newAccount,
    now,
  }: Pick<Services, 'links' | 'tokens' | 'callApi' | 'newAccount' | 'now'>,
): Pick<Context, 'db' | 'store' | 'links'> & {
  unstable: Pick<Unstable, 'accounts' | 'callApi' | 'hear' | 'links' | 'tokens' | 'tell' | 'signIn'>
} {
  const { feature, unstable: { steps, providers } = {} } = plugin
  const { stable, unstable } = links(feature, db)
  return {
    db: ownTables(db, feature),
    store: createStore(db, feature),
    links: stable,
    unstable: {
      ...{ links: unstable, tokens: tokens(db), tell: tellOwn(db, plugin, now) },
      accounts: {
        find: ids => whoAre(db, ids),
        all: () => everybody(db),
        byEmail: email => whoHas(db, email),
        create: newAccount(db),
      },
      callApi: async (accountId, method, ...rest) => {
        const call = () => callApi(db)(accountId, method, ...rest)
        return method === 'GET' ? call() : changeAs(feature, currentActor(), call)
      },
      hear: chooseOwnKinds(db, plugin, now),
      signIn: {
        async requireStep(accountId, isRequired) {
          if (!steps) throw new Error('A plugin without steps cannot require one.')
          await requireStep(db, { accountId, feature }, isRequired, now)
        },
        isRequired: async accountId => (await requiredSteps(db, accountId)).includes(feature),
        async endSessions(ended) {
          if (!providers) throw new Error('A plugin without providers cannot end their sessions.')
          return endOfProvider(db, ended, now)
        },
      },
    },
  }
}

/** Lets a plugin tell of its own things. */
function tellOwn(db: Database, plugin: Plugin, now: () => Date): Unstable['tell'] {
  return async (kind, make, within) => {
    if (!kindsToldBy(plugin).includes(kind)) {
      throw new Error(
        `${plugin.feature} does not declare that it tells of ${kind}: add it to unstable.tells.`,
      )
    }
    if (!isHeard(db, kind)) return
    const event = await make()
    const write = (tx: Tx) => tell(tx, kind, now(), [event], it => it)
    const toldBy = currentActor()
    const tellThem = () => inTransaction(whole(within) ?? db, write)
    // In a request, only the plugin that made it by `callApi` has part in a chain of changes.
    await (toldBy.kind === 'plugin' ? changeAs(plugin.feature, toldBy, tellThem) : tellThem())
  }
}

/** Lets a plugin choose what it hears of. */
function chooseOwnKinds(
  db: Database,
  { feature, events, unstable }: Plugin,
  now: () => Date,
): Unstable['hear'] {
  return async kinds => {
    if (!events || unstable?.hears !== 'chosen') {
      throw new Error(
        `${feature} cannot choose what it hears of without events and unstable.hears.`,
      )
    }
    await chooseKinds(db, { feature, kinds: [...new Set(kinds)].sort() }, now())
  }
}

/** A plugin's transaction reaches only the tables of the plugin. */
function whole(within: Transacting | undefined): Tx | undefined {
  return within?.withoutPlugins() as Tx | undefined
}
