import type { SignedIn } from '../../accounts/account.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Actor, LinkPast } from '../../plugin.ts'
import { inOneGo, type Steps, type Tx, whenVisible } from '../../storage/database.ts'
import { takeImportKeys } from '../../visits/store/store-brought.ts'
import type { BroughtVisits } from '../../visits/wire/packed-sums.ts'
import type { GivenFields } from '../hooks.ts'
import type { Link } from '../link.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import { bringVisits } from './add-visits.ts'
import { insertLinks, type LinkWithoutCode } from './insert-links.ts'
import { type LinkDeps, writeLinks } from './link-deps.ts'
import { takeFormerCodes } from './take-code.ts'

/** Writes something else in the transaction that saves a link; its refusal undoes the link too. */
export type SaveWithLink = (tx: Tx, link: Link) => Promise<Refusal | undefined>

/** What a link brings from elsewhere, checked. */
export interface Past extends Omit<LinkPast, 'visits'> {
  readonly visits?: BroughtVisits | undefined
}

/** A new link that passed all checks that need no stored data. */
export interface CheckedLink {
  readonly caller: SignedIn
  readonly row: Omit<LinkWithoutCode, 'created_at' | 'updated_at'>
  /** The code that was chosen for it. */
  readonly shortCode: string | undefined
  readonly past: Past
  /** Values for plugin fields. */
  readonly given: GivenFields
  readonly saveWithLink: SaveWithLink
  /** Who asked for it: links of several requests are saved together. */
  readonly actor: Actor
}

/** A link that was just saved, with the values that its request gave for plugin fields. */
export interface MadeLink {
  readonly link: Link
  readonly given: GivenFields
}

/** Called with saved links as soon as everybody can see them, before they are flushed to the disk. */
export type OnVisible = (made: readonly MadeLink[]) => void

/**
 * Save new links of one account in one transaction. If one of them is refused or fails, all of it is
 * undone, and each link is saved in its own transaction, where it fails alone, for its own reason.
 */
export async function saveLinks(
  deps: LinkDeps,
  links: readonly CheckedLink[],
  onVisible: OnVisible,
): Promise<readonly (Link | Promise<Link | Refusal>)[]> {
  if (links.length > 1) {
    const saved = await writeLinks(deps, tx =>
      insertAll(deps, tx, links, onVisible).catch(() => notTogether),
    )
    if (!isRefusal(saved)) return saved
  }
  return links.map(async link => {
    const saved = await writeLinks(deps, tx => insertAll(deps, tx, [link], onVisible))
    return isRefusal(saved) ? saved : (saved[0] as Link)
  })
}

const notTogether = refuse('unavailable', 'These links cannot be created together.', 503)

/** Makes links in a transaction. Stops at the first refusal, which has to undo it. */
export async function insertAll(
  deps: LinkDeps,
  tx: Tx,
  links: readonly CheckedLink[],
  onVisible: OnVisible,
): Promise<readonly Link[] | Refusal> {
  const { hooks, paths, now, countCreated } = deps
  const [first] = links
  if (!first) return []
  const { caller } = first
  const at = now().getTime()
  const unsaved = links.map(({ row, shortCode: chosen, past }) => {
    const created = past.createdAt?.getTime() ?? at
    const updated = past.updatedAt?.getTime() ?? created
    return { link: { ...row, created_at: created, updated_at: updated }, chosen }
  })
  const saved = await inOneGo(tx, countAndInsert())
  if (isRefusal(saved)) return saved
  const made = links.map((it, index) => ({ ...it, link: saved[index] as Link }))
  for (const { link, given, past, saveWithLink } of made) {
    const kept = await hooks.save(tx, link, given, 'create')
    const refusal = isRefusal(kept)
      ? kept
      : ((await takeFormerCodes(deps, tx, link, past)) ?? (await saveWithLink(tx, link)))
    if (refusal) return refusal
  }
  const bringing = made.flatMap(({ link, past: { visits: brought } }) =>
    brought ? { link, brought } : [],
  )
  const refusal = await bringVisits(deps, tx, bringing)
  if (refusal) return refusal
  const keys = made.flatMap(({ link: { rowId }, past: { visitKeys = [] } }) =>
    visitKeys.map(key => ({ rowId, key })),
  )
  if (keys.length > 0) await takeImportKeys(tx, keys)
  await tellOfLinks(
    tx,
    deps,
    made.map(({ link: after, actor }) => ({ after, actor })),
  )
  await deps.trial?.look(tx, saved)
  await whenVisible(tx, () => onVisible(made))
  return saved

  function* countAndInsert(): Steps<readonly Link[] | Refusal> {
    const refusal = yield* countCreated(tx, caller, links.length)
    return refusal ?? (yield* insertLinks(tx, unsaved, paths))
  }
}
