import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import type { SetUp } from '../../accounts/access/set-up.ts'
import type { Clients } from '../../doctor/examine-proxies.ts'
import type { AnswerCounts } from '../../http/api/count-answers.ts'
import type { Credentials } from '../../http/api/identify.ts'
import type { Route } from '../../http/api/route.ts'
import type { SessionCookie } from '../../http/api/session-cookie.ts'
import type { UnderWay } from '../../http/api/under-way.ts'
import type { PageSender } from '../../http/pages/send-page.ts'
import type { Checks } from '../../http/routes/health-routes.ts'
import type { Answering, Server } from '../../http/server/server.ts'
import type { Containment } from '../../kernel/contain/contain.ts'
import type { AddressesOf } from '../../kernel/hooks/link-addresses.ts'
import type { LinkAnswers } from '../../kernel/hooks/link-answers.ts'
import type { LinkFields } from '../../kernel/hooks/link-fields.ts'
import type { LinkFilters } from '../../kernel/hooks/link-filters.ts'
import type { LinkStatuses } from '../../kernel/hooks/link-statuses.ts'
import type { Jobs, NamedJob } from '../../kernel/jobs/jobs.ts'
import type { Services } from '../../kernel/run/create-context.ts'
import type { RunningPlugins } from '../../kernel/run/start-plugins.ts'
import type { Switcher } from '../../kernel/run/switcher.ts'
import type { CheckGuess } from '../../limits/guesses.ts'
import type { NoteEvent } from '../../limits/security-log.ts'
import type { Throttle } from '../../limits/throttle.ts'
import type { LinkCache } from '../../links/follow/cache.ts'
import type { FollowHostDeps } from '../../links/follow/follow-host.ts'
import type { HostBlocks } from '../../links/follow/host-blocks.ts'
import type { Hosts } from '../../links/follow/hosts.ts'
import type { LinkHooks } from '../../links/hooks.ts'
import type { OwnHosts } from '../../links/original-url.ts'
import type { ShortUrls } from '../../links/read/short-urls.ts'
import type { LinkDeps } from '../../links/write/link-deps.ts'
import type { Plugin } from '../../plugin.ts'
import type { Contract } from '../../settings/contract.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import type { Backups } from '../../storage/backups/backups.ts'
import type { Counted, Recorder } from '../../visits/collect/recorder.ts'
import type { Places } from '../../visits/facts/open-places.ts'
import type { Remover } from '../../visits/upkeep/remove-when-idle.ts'
import type { AppOptions } from './app-options.ts'

/** What stays while plugins are switched, by name. */
export interface LastingParts {
  readonly given: Given
  readonly contain: Containment
  readonly throttle: Throttle
  readonly noteEvent: NoteEvent
  readonly checkGuess: CheckGuess
  readonly confirm: ConfirmPassword
  readonly services: Services
  readonly cache: LinkCache
  /** Where visitors are, as far as plugins read it. */
  readonly placesFor: (plugins: readonly Plugin[]) => Places
  readonly recorder: Recorder
  readonly remover: Remover
  /** Bring what is counted up to date, as far as that is soon done: before anybody reads it. */
  readonly settle: () => Promise<void>
  /** Undefined when the database is not a file of ours. */
  readonly backups: Backups | undefined
  readonly jobs: Jobs
  readonly setUp: SetUp
  readonly cookie: SessionCookie
  /** Whose API requests are, and how the latest one came in. */
  readonly clients: Clients
  readonly pageSender: PageSender
  readonly answerCounts: AnswerCounts
  readonly hosts: Hosts
  readonly hostBlocks: HostBlocks
  readonly ownHosts: OwnHosts
  readonly shortUrls: ShortUrls
  readonly switcher: Switcher
  readonly server: Server
}

/** What is made anew for each set of plugins that run together. */
export interface PartsOfSet {
  readonly plugins: RunningPlugins
  /** Requests that it was asked and has not answered. */
  readonly underWay: UnderWay
  /** With the names that the running plugins add. */
  readonly contract: Contract
  readonly entitlements: Entitlements
  readonly fields: LinkFields
  readonly addresses: AddressesOf
  readonly answers: LinkAnswers
  readonly statuses: LinkStatuses
  readonly filters: LinkFilters
  readonly hooks: LinkHooks
  readonly links: LinkDeps
  readonly places: Places
  readonly counted: Counted
  readonly everyJob: readonly NamedJob[]
  readonly credentials: Credentials
  readonly routes: readonly Route[]
  readonly following: FollowHostDeps
  /** How the parts are. */
  readonly health: () => Promise<Checks>
  readonly answering: Answering
}

/** Everything the app is made of. */
export interface Parts extends LastingParts, PartsOfSet {}

/** What the parts begin with. */
export interface Given extends AppOptions {
  /** Signs what visitors carry. */
  readonly secret: Buffer
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

export type Get<All = Parts> = <K extends keyof All>(name: K) => All[K]

/** How parts of a set are made from others. */
export type Recipes = {
  readonly [K in Exclude<keyof PartsOfSet, 'plugins'>]: (get: Get) => Parts[K]
}

/** The same for parts that stay: what they need of the set that runs, they ask for when they need it. */
export type LastingRecipes = {
  readonly [K in Exclude<keyof LastingParts, 'given'>]: (
    get: Get<LastingParts>,
    sets: Sets,
  ) => LastingParts[K]
}

/** Sets of plugins, of which one runs. */
export interface Sets {
  /** A part of the set that runs; throws before there is one. */
  readonly now: Get
  /** The parts of another set, each made when it is first asked for. */
  make(plugins: RunningPlugins): Get
  /** Have it be the one that runs. */
  use(set: Get): void
}
