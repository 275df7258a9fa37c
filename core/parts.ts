import type { ConfirmPassword } from './accounts/confirm-password.ts'
import type { Contract } from './accounts/contract.ts'
import type { Entitlements } from './accounts/entitlements.ts'
import type { SetUp } from './accounts/set-up.ts'
import type { RunTimeSettings } from './accounts/settings.ts'
import type { AppOptions } from './app-options.ts'
import type { CheckGuess } from './guesses.ts'
import type { Credentials } from './http/identify.ts'
import type { Route } from './http/route.ts'
import type { PageSender } from './http/send-page.ts'
import type { Server } from './http/server.ts'
import type { SessionCookie } from './http/session-cookie.ts'
import type { Containment } from './kernel/contain.ts'
import type { Services } from './kernel/context.ts'
import type { Jobs } from './kernel/jobs.ts'
import type { AddressesOf } from './kernel/link-addresses.ts'
import type { LinkAnswers } from './kernel/link-answers.ts'
import type { LinkFields } from './kernel/link-fields.ts'
import type { LinkFilters } from './kernel/link-filters.ts'
import type { LinkStatuses } from './kernel/link-statuses.ts'
import type { RunningPlugins } from './kernel/start-plugins.ts'
import type { LinkCache } from './links/cache.ts'
import type { FollowHostDeps } from './links/follow-host.ts'
import type { LinkHooks } from './links/hooks.ts'
import type { HostBlocks } from './links/host-blocks.ts'
import type { Hosts } from './links/hosts.ts'
import type { LinkDeps } from './links/link-deps.ts'
import type { OwnHosts } from './links/original-url.ts'
import type { ShortUrls } from './links/short-urls.ts'
import type { NoteEvent } from './security-log.ts'
import type { Backups } from './storage/backups.ts'
import type { Throttle } from './throttle.ts'
import type { Recorder } from './visits/collect/recorder.ts'
import type { Places } from './visits/facts/open-places.ts'
import type { Remover } from './visits/upkeep/remove-when-idle.ts'

/** Everything the app is made of, by name. */
export interface Parts {
  readonly given: Given
  readonly plugins: RunningPlugins
  readonly contain: Containment
  readonly throttle: Throttle
  readonly noteEvent: NoteEvent
  readonly checkGuess: CheckGuess
  readonly confirm: ConfirmPassword
  readonly services: Services
  readonly cache: LinkCache
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
  readonly recorder: Recorder
  readonly remover: Remover
  /** Bring what is counted up to date, as far as that is soon done: before anybody reads it. */
  readonly settle: () => Promise<void>
  /** Undefined when the database is not a file of ours. */
  readonly backups: Backups | undefined
  readonly jobs: Jobs
  readonly setUp: SetUp
  readonly cookie: SessionCookie
  readonly credentials: Credentials
  readonly routes: readonly Route[]
  readonly pageSender: PageSender
  readonly hosts: Hosts
  readonly hostBlocks: HostBlocks
  readonly ownHosts: OwnHosts
  readonly shortUrls: ShortUrls
  readonly following: FollowHostDeps
  readonly server: Server
}

/** What the parts begin with. */
export interface Given extends AppOptions {
  /** Signs what visitors carry. */
  readonly secret: Buffer
  /** What an admin had said of plugins when the process started. */
  readonly startedWith: NonNullable<RunTimeSettings['plugins']>
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

export type Get = <K extends keyof Parts>(name: K) => Parts[K]

/** How parts are made from others; `plugins` is there once they have started. */
export type Recipes = {
  readonly [K in Exclude<keyof Parts, 'given' | 'plugins'>]: (get: Get) => Parts[K]
}
