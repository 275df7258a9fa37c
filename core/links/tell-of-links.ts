import type { Actor, Json, LinkView } from '../plugin.ts'
import type { Tx } from '../storage/database.ts'
import { differing, tell } from '../storage/outbox.ts'
import type { KeptElsewhere, LinkHooks } from './hooks.ts'
import type { Link } from './link.ts'

/** What telling of links needs. */
export interface TellDeps {
  readonly hooks: Pick<LinkHooks, 'show'>
  readonly shortUrls: { of(link: LinkView): string; hostOf(link: LinkView): string }
  now(): Date
}

/** A link before and after a change; one of the two is missing if it was made or deleted. */
export interface LinkChanged {
  readonly before?: Link
  readonly after?: Link
  /** What has another value now. */
  readonly changed?: readonly string[]
  /** What plugins changed in their tables. */
  readonly kept?: KeptElsewhere
  /** Whether it was deleted before. */
  readonly isRestored?: boolean
  /** Default: who acts now. */
  readonly actor?: Actor
}

/** Writes the events of links in the transaction that changes them, if any plugin hears of links. */
export async function tellOfLinks(
  tx: Tx,
  deps: TellDeps,
  changes: readonly LinkChanged[],
): Promise<void> {
  await tell(tx, 'link', deps.now(), changes, ({ before, after, actor, ...change }) => ({
    actor,
    ...(change.isRestored && { what: 'restored' }),
    accountId: (after ?? before)?.accountId ?? null,
    before: before && { ...shown(before, deps), ...change.kept?.before },
    after: after && { ...shown(after, deps), ...change.kept?.after },
    changed: namesOf(change),
  }))
}

/** Of what plugins keep in their tables, the names of fields and those of the members that show it. */
function namesOf({ changed, kept }: LinkChanged): readonly string[] | undefined {
  if (!changed || !kept) return changed
  return [...new Set([...changed, ...differing(kept.before, kept.after)])]
}

/** As the API shows it, without what other tables have: its status, visits, and `computed` members that nobody changed. */
function shown(link: Link, { hooks, shortUrls }: TellDeps): Readonly<Record<string, Json>> {
  return {
    id: link.id,
    shortCode: link.shortCode,
    shortUrl: shortUrls.of(link),
    originalUrl: link.originalUrl,
    domain: shortUrls.hostOf(link),
    title: link.title,
    notes: link.notes,
    archived: link.archived,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    ...hooks.show(link.fields),
  }
}
