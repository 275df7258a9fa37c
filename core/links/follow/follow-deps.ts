import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Slots } from '../../lib/async/slots.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import type { BodyMemory, HeldBody } from '../../limits/body-memory.ts'
import type { Page } from '../../plugin/answers/page.ts'
import type { Ask, Refusal } from '../../plugin/outcomes.ts'
import type { CodeRules, CustomHost } from '../../plugin.ts'
import type { FoundLink } from '../../storage/database.ts'
import type { Owner, RawVisit } from '../../visits/facts/open-visit.ts'
import type { PlaceOf } from '../../visits/facts/place.ts'
import type { LinkHooks } from '../hooks.ts'
import type { CodeCache } from './cache.ts'
import type { PassKeeper } from './pass.ts'

/** What following links on one host needs from the rest of the program. */
export interface FollowDeps {
  readonly cache: CodeCache
  /** Raw headers of every answer on this host; the redirect of a plain link already contains them. */
  readonly headers: readonly string[]
  /** The custom host; undefined for that of the base URL. */
  readonly host: CustomHost | undefined
  /** The rules for codes on this host. */
  rules(): CodeRules
  /** The link behind a code on this host. */
  findLink(code: string): Promise<FoundLink | undefined>
  /** The link whose code has this form, on a host where several are the same. */
  findForm(form: string): Promise<FoundLink | undefined>
  readonly hooks: LinkHooks
  readonly passes: PassKeeper
  readonly pages: VisitorPages
  /** Answers where there is no link, with these headers. */
  readonly notFound: NotFound
  ownerOf(accountId: number, plan: string): Owner
  /** Tracks each visit that is not answered at once, until it is. */
  track<T>(work: Promise<T>): Promise<T>
  /** Bounds the visits that are not answered at once, of each client and of all. */
  readonly slots: Slots
  /** Bounds the forms that are read and used. */
  readonly bodies: BodyMemory
  /** Whether the operator allows the scheme of an address, as it is stored. */
  mayLeadTo(url: string): boolean
  /** Count a visit, later, unless a plugin leaves it out, which may need to know whether it is by the owner of the link. */
  record(visit: RawVisit, askOwner?: () => Promise<boolean> | undefined): void
  /**
   * Whether a request comes from a browser that is signed in as an account; undefined without a session. Never rejects.
   * Absent where nobody asks, or no browser says so.
   */
  readonly isByOwner?: IsByOwner | undefined
  /** Whether visits come faster than they can be counted. */
  isBehind(): boolean
  /** Whether news of what others change does not reach us. */
  isCutOff(): boolean
  findClient(socket: string | undefined, forwardedFor: string): string
  readonly placeOf: PlaceOf
  readForm(
    req: IncomingMessage,
    held: HeldBody,
  ): Promise<Readonly<Record<string, string>> | Refusal>
  /** Milliseconds since 1970 UTC. */
  nowMs(): number
}

/** Whether a request comes from a browser that is signed in as the account with this row id. */
export type IsByOwner = (head: RequestHead, accountId: number) => Promise<boolean> | undefined

/** Answers where there is no link. */
export type NotFound = (req: IncomingMessage, res: ServerResponse) => void

/** The few pages that a visitor sees when there is no redirect. */
export interface VisitorPages {
  /** Prepares the answer where there is no link, with these raw headers. */
  notFound(headers: readonly string[]): NotFound
  methodNotAllowed(req: IncomingMessage, res: ServerResponse, allow: string): void
  stopped(req: IncomingMessage, res: ServerResponse, why: Refusal | Ask, pass?: string): void
  shown(req: IncomingMessage, res: ServerResponse, page: Page): void
  failed(req: IncomingMessage, res: ServerResponse, error: unknown): void
}
