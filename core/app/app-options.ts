import type { CorsOrigins } from '../http/api/access/cors.ts'
import type { TrustedProxies } from '../http/request/client-address.ts'
import type { ConnectionLimits } from '../http/server/limit-connections.ts'
import type { AvailablePlugins } from '../kernel/run/start-plugins.ts'
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

/** Everything that an app is built from. It reads nothing else. */
export interface AppOptions extends AvailablePlugins {
  readonly storage: Storage
  readonly settings: SettingsStore
  /** Looks again for the plugins that exist. Default: they stay the same. */
  readonly lookForPlugins?: () => Promise<AvailablePlugins>
  /** Where plugins that did not come with Linnet are installed. Default: nowhere. */
  readonly packages?: PluginPackages
  /** The names that answers always have, whichever plugins are on. */
  readonly contract: Contract
  readonly plans: AnyPlans
  readonly features: Features
  /** The origin of short URLs, such as `https://go.example.org`. */
  readonly baseUrl: string
  /** The origin of the dashboard and the API, on a host that is not that of short URLs. Default: the same. */
  readonly dashboardUrl?: string | undefined
  readonly trustedProxies: TrustedProxies
  /** Origins whose pages may call the API with a token. Default: only our own. */
  readonly corsOrigins?: CorsOrigins
  /** Whether requests for hosts that are neither ours nor an account's get 421, except for health. Default: no. */
  readonly otherHosts?: 'answer' | 'refuse'
  /** Whether cached redirects are answered without `node:http`. Default: yes. */
  readonly fastLane?: boolean
  /** What clients may take of descriptors and memory. Default: any number of connections. */
  readonly connectionLimits?: Partial<ConnectionLimits>
  /** The MMDB files that map addresses to places. Default: those that come with Linnet. */
  readonly placeSource?: PlaceSource
  /** The folder for files of plugins. Default: none. */
  readonly filesFolder?: string
  /** How long counts are kept. Default: by the hour for 60 days, and after that by the day forever. */
  readonly kept?: KeptDays
  /** For how many days a deleted link can be restored; 0: it is deleted for good. Default: 30. */
  readonly deletedDays?: number
  /** Whether warnings include the IP addresses of clients. Default: no. */
  readonly logsAddresses?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly now: () => Date
  /** The same clock, for code that reads it at every visit, in milliseconds since 1970 UTC. Default: from `now`. */
  readonly nowMs?: () => number
  /** The version of Linnet, such as `0.1.0`. */
  readonly version: string
  /** Identifies this server among those that share the database, and stays the same after a restart. */
  readonly machine?: string
  /** The number of this process, if several share a port. */
  readonly worker?: string | undefined
  /** The entry point of the recorder's thread. Default: visits are counted in this thread. */
  readonly recorderUrl?: URL
  /** The entry point of the thread that copies the database. Default: it is copied in this thread. */
  readonly backupUrl?: URL
  /** How many of the nightly backups are kept; 0 makes none. Default: 7. */
  readonly backupsKept?: number
  /** Schemes that addresses of links may have besides http and https. Default: none. */
  readonly targetSchemes?: readonly string[]
  /** The private networks that plugins may connect to for URLs from the operator. Default: none. */
  readonly ownNetwork?: OwnNetwork
  /**
   * Whether this process serves nobody and counts no visits: it runs a command, possibly beside a server, which delivers
   * events and runs jobs. Default: no.
   */
  readonly isCommand?: boolean
  /** For tests: replaces requests of plugins to the internet. */
  readonly fetch?: Fetch
  /** For tests: replaces the DNS. */
  readonly resolveTxt?: ResolveTxt
  /**
   * For tests on busy machines: how long to wait for each hook of a plugin, each answer of the API and the newest
   * visits, in milliseconds, instead of their time limits.
   */
  readonly patienceMs?: number
  /** For tests: checks that each answer matches its schema. */
  readonly checkAnswers?: boolean
}
