import type { Actor, Json, LinkView } from '../plugin.ts'
import type { Tx } from '../storage/database.ts'
import { tell } from '../storage/outbox.ts'
import type { LinkHooks } from './hooks.ts'
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
  await tell(tx, 'link', deps.now(), changes, ({ before, after, isRestored, ...change }) => ({
    ...change,
    ...(isRestored && { what: 'restored' }),
    accountId: (after ?? before)?.accountId ?? null,
    before: before && shown(before, deps),
    after: after && shown(after, deps),
  }))
}

/** As the API shows it, without what other tables have: its status, visits, and `computed` members. */
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
