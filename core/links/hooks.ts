import type { SignedIn } from '../accounts/account.ts'
import type { Claim, Outcome, Refusal, View } from '../plugin/outcomes.ts'
import type {
  Guard,
  Later,
  LinkAddress,
  LinkView,
  Routed,
  SavedLink,
  Target,
  Visit,
} from '../plugin.ts'
import type { Tx } from '../storage/database.ts'
import type { Link, StoredFields } from './link.ts'

/** What links ask of the plugins; the kernel answers. Links themselves know no plugin. */
export interface LinkHooks {
  /** May this account use the fields it gave, what do the plugins make of the draft, do they agree? */
  prepare(draft: LinkDraft, caller: SignedIn): Promise<LinkDraft | Refusal>
  /** Do the plugins agree that visitors are led to these addresses, by something that is no link? */
  validateAddresses(
    addresses: readonly LinkAddress[],
    caller: SignedIn,
  ): Promise<Refusal | undefined>
  /** The fields to keep: those of before, changed by what was given. */
  store(before: StoredFields, given: GivenFields, kind: LinkDraft['kind']): Promise<StoredFields>
  /** What has to run when this link is followed; asked by a visit, or by an account that saves it. */
  compile(link: LinkView, fields: StoredFields, account?: number): Promise<Steps>
  /** Let plugins write to their tables, in the transaction that saves the link: did they change anything? */
  save(
    tx: Tx,
    link: SavedLink,
    given: GivenFields,
    kind: LinkDraft['kind'],
  ): Promise<Refusal | 'changed' | 'same'>
  /** Run one guard; when it fails the answer is a refusal: the link stays shut. */
  guard(step: NamedStep<Guard>, visit: Visit): Promise<Outcome | Claim | undefined>
  /** Run what a guard of the link with this id left for last. */
  claim(step: NamedStep<Claim['claim']>, link: string): Promise<Outcome | undefined>
  /** Run one target; when it fails the address stays as it was. Undefined: it leads to what is not safe to follow. */
  target(
    step: NamedStep<Target>,
    visit: Visit,
    url: string,
  ): Promise<(Pick<Routed, 'url'> & Partial<Routed>) | undefined>
  /** What shows a link instead of following it, by what comes after the code; maybe nothing does. */
  findView(suffix: string): ViewStep | undefined
  /** Ask a view; undefined when it fails. */
  view(step: NamedStep<ShowLink>, visit: Visit, url: string): Promise<View | undefined>
  /** Whether a feature that guards links is there to be asked. */
  canGuard(feature: string): boolean
  /** Tell the plugins, after the commit; never fails, never waits. */
  announce(event: 'updated' | 'deleted', link: Link): void
  /** Whether anybody wants to be told of deleted links. */
  readonly hearsOfDeleted: boolean
  /** Tell of links that went with their account, some at a time; never fails. */
  announceAllDeleted(links: readonly Link[]): Promise<void>
  /** Tell those plugins that the plan of the link's account includes. */
  announceCreated(link: Link, plan: string): void
  /** Tell the plugins of stored visits, once a batch. */
  announceVisits(visits: readonly { readonly linkId: number; readonly visits: number }[]): void
}

/** A link about to be saved, with what the request gave for plugin fields, by field name. */
export interface LinkDraft {
  readonly kind: 'create' | 'edit'
  /** Number of the row of the account whose link it is. */
  readonly accountId: number
  readonly link: SavedLink | undefined
  readonly domain: string
  readonly originalUrl: string
  readonly shortCode: string | undefined
  readonly given: GivenFields
  /** What is stored of plugin fields so far. */
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

/** What a visitor sees of a link that leads to an address. */
export type ShowLink = (visit: Visit, url: string) => Later<View>

/** `isOpen`: it shows before the guards are asked, and is told no address. */
export interface ViewStep extends NamedStep<ShowLink> {
  readonly isOpen: boolean
}

export interface NamedStep<Run> {
  readonly feature: string
  readonly run: Run
}
