import type { SignedIn } from '../../accounts/account.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused, type Tx, whenSeen } from '../../storage/database.ts'
import type { GivenFields } from '../hooks.ts'
import type { Link } from '../link.ts'
import type { Unnamed } from './insert-link.ts'
import { insertLinks } from './insert-links.ts'
import type { LinkDeps } from './link-deps.ts'

/** Written in the transaction that makes a link; a refusal undoes all of it. */
export type Note = (tx: Tx, link: Link) => Promise<Refusal | undefined>

/** A new link that nothing speaks against but what is stored already. */
export interface CheckedLink {
  readonly caller: SignedIn
  readonly row: Omit<Unnamed, 'created_at' | 'updated_at'>
  /** The code that was chosen for it. */
  readonly shortCode: string | undefined
  /** Values for plugin fields. */
  readonly given: GivenFields
  readonly note: Note
}

/** Hears of links that everybody can see and that are not durable yet. */
export type Seen = (links: readonly Link[]) => void

/**
 * Save new links of one account in one transaction. When anything of it is refused or fails, all is undone
 * and each is saved in a transaction of its own: it fails alone, for its own reason.
 */
export async function saveLinks(
  deps: LinkDeps,
  links: readonly CheckedLink[],
  seen: Seen,
): Promise<readonly (Link | Promise<Link | Refusal>)[]> {
  if (links.length > 1) {
    const saved = await inTransactionUnlessRefused(deps.db, tx =>
      insertAll(deps, tx, links, seen).catch(() => notTogether),
    )
    if (!isRefusal(saved)) return saved
  }
  return links.map(async link => {
    const saved = await inTransactionUnlessRefused(deps.db, tx => insertAll(deps, tx, [link], seen))
    return isRefusal(saved) ? saved : (saved[0] as Link)
  })
}

const notTogether = refuse('unavailable', 'These links cannot be created together.', 503)

/** The first refusal ends it. */
async function insertAll(
  { hooks, paths, now, countCreated }: LinkDeps,
  tx: Tx,
  links: readonly CheckedLink[],
  seen: Seen,
): Promise<readonly Link[] | Refusal> {
  const [first] = links
  const overQuota = first && (await countCreated(tx, first.caller, links.length))
  if (overQuota) return overQuota
  const at = now().getTime()
  const unsaved = links.map(({ row, shortCode: chosen }) => ({
    link: { ...row, created_at: at, updated_at: at },
    chosen,
  }))
  const saved = await insertLinks(tx, unsaved, paths)
  if (saved === undefined) return notTogether
  if (isRefusal(saved)) return saved
  for (const [index, { given, note }] of links.entries()) {
    const link = saved[index] as Link
    const kept = await hooks.save(tx, link, given, 'create')
    const refusal = isRefusal(kept) ? kept : await note(tx, link)
    if (refusal) return refusal
  }
  await whenSeen(tx, () => seen(saved))
  return saved
}
