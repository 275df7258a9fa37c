import type { CallAs } from '../../http/api/call-api.ts'
import type { Route } from '../../http/api/route/route.ts'
import type { RunningWork } from '../../http/api/running-work.ts'
import type { ChooseLanguage } from '../../http/pages/choose-language.ts'
import type { DeleteAccount } from '../../http/routes/accounts/profile-routes.ts'
import type { Checks } from '../../http/routes/health-routes.ts'
import type { Answering } from '../../http/server/server.ts'
import type { AddressesOf } from '../../kernel/hooks/link-addresses.ts'
import type { NamedJob } from '../../kernel/jobs/job-schedule.ts'
import type { Services } from '../../kernel/run/create-context.ts'
import type { RunningPlugins } from '../../kernel/run/start-plugins.ts'
import type { LinkHooks } from '../../links/hooks.ts'
import type { ApiTool, LinkWriting, PasswordRule, UnstableLinks } from '../../plugin.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import type { CountingConfig } from '../../visits/collect/recorder.ts'
import type { Places } from '../../visits/facts/open-places.ts'

/** Plugins that run together, with the parts that each such set has of its own. */
export interface PluginSet {
  readonly plugins: RunningPlugins
  /** Requests to this set that are not answered yet. */
  readonly runningWork: RunningWork
  readonly entitlements: Entitlements
  readonly hooks: LinkHooks
  /** Who may sign in by password. */
  readonly passwordRule: () => PasswordRule
  readonly addresses: AddressesOf
  readonly writing: LinkWriting
  readonly reading: Pick<UnstableLinks, 'whole' | 'histories'>
  readonly deleteAccount: DeleteAccount
  readonly places: Places
  readonly chooseLanguage: ChooseLanguage
  readonly counted: CountingConfig
  readonly everyJob: readonly NamedJob[]
  /** The health of the parts. */
  readonly health: () => Promise<Checks>
  /** Made when first needed, because that takes longer than a redirect should wait. */
  readonly routes: () => readonly Route[]
  readonly answering: () => Answering
  /** Made when a plugin first calls the API in the name of an account. */
  readonly callAs: () => CallAs
  /** Made when a plugin first asks. */
  readonly tools: () => readonly ApiTool[]
  /** Made when a plugin first asks. */
  readonly numbers: () => Pick<Services, 'readNumbers' | 'hasNumbers'>
}

/** Sets of plugins, one of which is running. */
export interface PluginSets {
  /** The running set. Throws if there is none yet. */
  now(): PluginSet
  make(plugins: RunningPlugins): PluginSet
  /** Makes this the running set. */
  use(set: PluginSet): void
}
