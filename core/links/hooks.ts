import type { SignedIn } from '../accounts/account.ts'
import type { Page } from '../plugin/answers/page.ts'
import type { Ask, Claim, Follow, Outcome, Redirect, Refusal } from '../plugin/outcomes.ts'
import type { HandedOver } from '../plugin/write-links.ts'
import type {
  CountedVisit,
  Guard,
  Json,
  Later,
  LinkAddress,
  LinkView,
  Routed,
  SavedLink,
  Target,
  UnknownVisit,
  Visit,
} from '../plugin.ts'
import type { Tx } from '../storage/database.ts'
import type { Link, StoredFields } from './link.ts'

/** What links ask the plugins. The kernel answers; links themselves know no plugin. */
export interface LinkHooks {
  /**
   * Checks that the account may use the fields it gave, lets plugins change the draft, and asks if they agree
   * to it.
   */
  prepare(draft: LinkDraft, caller: SignedIn): Promise<LinkDraft | Refusal>
  /** Asks whether plugins agree that something other than a link leads visitors to these addresses. */
  validateAddresses(
    addresses: readonly LinkAddress[],
    caller: SignedIn,
  ): Promise<Refusal | undefined>
  /** Asks the same about everything that a saved link leads to. */
  validateLink(link: Link, caller: SignedIn): Promise<Refusal | undefined>
  /** Returns the fields to keep: those stored before, changed by those given. */
  store(
    before: StoredFields,
    given: GivenFields,
    kind: LinkDraft['kind'],
    accountId: number,
  ): Promise<StoredFields | Refusal>
  /**
   * Adds the stored forms of hashes that other programs made, by field name, to those of a new link. Refused: by the plan, and
   * for what is no such field or hash.
   */
  keepHashed(
    fields: StoredFields,
    hashed: Readonly<Record<string, string>>,
    caller: SignedIn,
  ): Promise<StoredFields | Refusal>
  /** Returns what has to run when this link is followed. */
  compile(link: LinkView, fields: StoredFields): Promise<Steps>
  /** Stored fields as the API shows them. */
  show(fields: StoredFields): Readonly<Record<string, Json>>
  /** Names the features that guard a link with these fields while they cannot be asked. */
  guardsFor(fields: StoredFields): readonly string[]
  /** Names the features that may choose where a link with these fields leads. */
  targetsFor(fields: StoredFields): readonly string[]
  /**
   * Lets plugins write to their tables in the transaction that saves the link. Returns what that changed.
   */
  save(
    tx: Tx,
    link: SavedLink,
    given: GivenFields,
    kind: LinkDraft['kind'],
  ): Promise<Refusal | KeptElsewhere>
  /** Whether values for plugin fields are kept in tables of plugins. */
  isElsewhere(given: GivenFields): boolean
  /** Whether a link has such values already. What it had not was written: undo the transaction then. */
  has(tx: Tx, link: SavedLink, given: GivenFields): Promise<boolean>
  /** The name of a field that was given and that nobody can read afterwards, such as a password. */
  sealedIn(given: GivenFields): string | undefined
  /** Tells plugins of visits that links of an account bring from elsewhere, in the transaction that adds them. */
  brought(
    tx: Tx,
    added: readonly { readonly link: SavedLink; readonly visits: number }[],
  ): Promise<Refusal | undefined>
  /**
   * Has plugins give what they keep of an account to another, on this plan, in the transaction that gives its links. Refused: what
   * a plugin says, and more than the plan allows.
   */
  handOver(tx: Tx, what: HandedOver, plan: string): Promise<Refusal | undefined>
  /** Runs one guard. If it fails, the answer is a refusal: the link stays shut. */
  guard(step: NamedStep<Guard>, visit: Visit): Promise<Outcome | Claim | undefined>
  /** Runs what a guard of the link with this id left for last. */
  claim(step: NamedStep<Claim['claim']>, link: string): Promise<Outcome | undefined>
  /** Runs one target. If it fails, the address stays as it was. Undefined if the new address is not safe to follow. */
  target(
    step: NamedStep<Target>,
    visit: Visit,
    url: string,
  ): Promise<Routed | Page | Ask | undefined>
  /** Returns the view for what comes after the code, if there is one: it shows the link instead of following it. */
  findView(suffix: string): ViewStep | undefined
  /** Asks a view what to show; undefined if it fails. */
  view(step: NamedStep<ShowLink>, visit: Visit, url: string): Promise<Shown | undefined>
  /** Those that answer visits for which there is no link, in running order. */
  readonly unknown: readonly NamedStep<AnswerUnknown>[]
  /** Whether every plugin counts this visit; undefined if none has a say. One that fails counts it. */
  readonly counts: ((visit: CountedVisit) => boolean) | undefined
  /** Whether one of them reads who is signed in. */
  readonly seesOwner: boolean
  /** Whether a feature that guards links can be asked. */
  canGuard(feature: string): boolean
  /** Tells the plugins after the commit, with the names of what was changed. Never fails and never waits. */
  announceUpdated(link: Link, changed: readonly string[]): void
  /** The same for a link that was deleted. */
  announceDeleted(link: Link): void
  /** Whether any plugin wants to hear of deleted links. */
  readonly hearsOfDeleted: boolean
  /** Tells of links that were deleted with their account, some at a time. Never fails. */
  announceAllDeleted(links: readonly Link[]): Promise<void>
  /** Tells the plugins that the plan of the link's account includes. */
  announceCreated(link: Link, plan: string): void
  /** Tells the plugins of stored visits, once per batch. */
  announceVisits(
    visits: readonly {
      readonly linkId: number
      readonly accountId: number
      readonly visits: number
    }[],
  ): void
}

/** What plugins wrote to their tables when a link was saved. */
export interface KeptElsewhere {
  /** The names of the given fields that changed something there. */
  readonly changed: readonly string[]
  /** The `computed` members of the plugins that did it, as they were and as they are. */
  readonly before: Readonly<Record<string, Json>>
  readonly after: Readonly<Record<string, Json>>
}

/** A link about to be saved, with what the request gave for plugin fields, by field name. */
export interface LinkDraft {
  readonly kind: 'create' | 'edit'
  /** How often this request was prepared before, each time with a short code that was taken. */
  readonly attempt: number
  /** Row number of the account that owns the link. */
  readonly accountId: number
  readonly link: SavedLink | undefined
  readonly domain: string
  readonly originalUrl: string
  readonly shortCode: string | undefined
  readonly given: GivenFields
  /** The plugin fields stored so far. */
  readonly before: StoredFields
}

/** Field name to value; null clears. */
export type GivenFields = Readonly<Record<string, unknown>>

/** What runs on each visit of one link, in running order. */
export interface Steps {
  readonly guards: readonly NamedStep<Guard>[]
  readonly targets: readonly NamedStep<Target>[]
  /** Features whose guard could not be asked: the link must stay shut. */
  readonly failed: readonly string[]
}

export type UnknownOutcome = Follow | Shown

/** Says what a path without a link stands for; undefined if it does not know, or fails. */
export type AnswerUnknown = (visit: UnknownVisit) => Promise<UnknownOutcome | undefined>

/** Makes what a visitor sees of a link that leads to this address. */
export type ShowLink = (visit: Visit, url: string) => Later<Shown>

/** What a plugin says in place of a link. */
export type Shown = Page | Redirect | Refusal

/** If `isOpen`, the view is shown before the guards are asked, and gets no address. */
export interface ViewStep extends NamedStep<ShowLink> {
  readonly isOpen: boolean
}

export interface NamedStep<Run> {
  readonly feature: string
  readonly run: Run
}
