import type { Features } from './accounts/features.ts'
import type { AnyPlans } from './accounts/plan.ts'
import type { SettingsStore } from './accounts/settings.ts'
import type { TrustedProxies } from './http/client-address.ts'
import type { Fetch, Log, Registry } from './plugin.ts'
import type { Storage } from './storage/database.ts'

/** What an app is built from; what is not here it does not look at. */
export interface AppOptions {
  readonly storage: Storage
  readonly settings: SettingsStore
  readonly registry: Registry
  /** The features that are on. */
  readonly on: readonly string[]
  readonly plans: AnyPlans
  readonly features: Features
  /** Origin of short URLs, as `https://go.example.org`. */
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  /** An MMDB file of where addresses are; absent: what comes with Linnet. */
  readonly geoipFile?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly now: () => Date
  /** Where the recorder's thread begins; absent: visits are counted in this thread. */
  readonly recorderUrl?: URL
  /** For tests: in place of what reaches the internet, and nothing else. */
  readonly fetch?: Fetch
  /** For tests: an answer that does not fit its schema is a bug. */
  readonly checkAnswers?: boolean
}
