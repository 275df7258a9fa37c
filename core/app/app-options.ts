import type { CorsOrigins } from '../http/api/access/cors.ts'
import type { TrustedProxies } from '../http/request/client-address.ts'
import type { Offer } from '../kernel/run/start-plugins.ts'
import type { OwnNetwork } from '../lib/net/own-network.ts'
import type { ResolveTxt } from '../lib/net/resolve-txt.ts'
import type { PluginPackages } from '../outside/packages.ts'
import type { Fetch, Log } from '../plugin.ts'
import type { Contract, Features } from '../settings/contract.ts'
import type { AnyPlans } from '../settings/plan.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Storage } from '../storage/database.ts'
import type { PlaceSource } from '../visits/facts/place-files.ts'
import type { KeptDays } from '../visits/upkeep/age-counts.ts'

/** What an app is built from; what is not here it does not look at. */
export interface AppOptions extends Offer {
  readonly storage: Storage
  readonly settings: SettingsStore
  /** Find out anew which plugins there are; absent: they stay the same. */
  readonly lookForPlugins?: () => Promise<Offer>
  /** Where those that did not come with Linnet are installed; absent: nowhere. */
  readonly packages?: PluginPackages
  /** The names that answers have whatever plugins there are. */
  readonly contract: Contract
  readonly plans: AnyPlans
  readonly features: Features
  /** Origin of short URLs, as `https://go.example.org`. */
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  /** Origins whose pages may call the API with a token; absent: none but our own. */
  readonly corsOrigins?: CorsOrigins
  /** Whether hosts that are neither ours nor an account's get 421 for everything but health; absent: no. */
  readonly otherHosts?: 'answer' | 'refuse'
  /** Whether redirects that are ready are answered past `node:http`; absent: yes. */
  readonly fastLane?: boolean
  /** Where MMDB files of where addresses are lie; absent: what comes with Linnet. */
  readonly placeSource?: PlaceSource
  /** For how long counts are kept; absent: by the hour for 60 days, and then by the day for ever. */
  readonly kept?: KeptDays
  /** Whether warnings say where clients come from; absent: no address is logged. */
  readonly logsAddresses?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly now: () => Date
  /** The same clock for who asks at every visit, in milliseconds since 1970 UTC; absent: from `now`. */
  readonly nowMs?: () => number
  /** Of Linnet, as `0.1.0`. */
  readonly version: string
  /** What tells this server from others on the same database, also after a restart. */
  readonly machine?: string
  /** The number of this process, where several share a port. */
  readonly worker?: string | undefined
  /** Where the recorder's thread begins; absent: visits are counted in this thread. */
  readonly recorderUrl?: URL
  /** Where the thread that copies the database begins; absent: it is copied in this thread. */
  readonly backupUrl?: URL
  /** How many copies of the night are kept; 0: none is made. Absent: 7. */
  readonly backupsKept?: number
  /** What plugins may reach of private networks where the operator sends them; absent: nothing. */
  readonly ownNetwork?: OwnNetwork
  /** For tests: in place of what reaches the internet, and nothing else. */
  readonly fetch?: Fetch
  /** For tests: in place of what asks the DNS. */
  readonly resolveTxt?: ResolveTxt
  /**
   * For tests, on machines that are busy: how long each hook of a plugin, each answer of the API and the
   * newest visits are waited for, in milliseconds, in place of every budget.
   */
  readonly patienceMs?: number
  /** For tests: an answer that does not fit its schema is a bug. */
  readonly checkAnswers?: boolean
}
