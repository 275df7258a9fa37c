import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { inOneGo, type Steps, type Tx } from '../../storage/database.ts'
import { kindOfDatabase } from '../../storage/database-kind.ts'
import { addLinkText } from '../keep-link-text.ts'
import { type Link, readLink } from '../link.ts'
import { insertLink, type LinkWithoutCode } from './insert-link.ts'
import { insertLinksTogether } from './insert-links-together.ts'
import { makeShortCode, type Paths } from './short-code.ts'
import { refuseReserved } from './take-code.ts'

/** A link before it is saved, and the code that was chosen for it. */
export interface UnsavedLink {
  readonly link: LinkWithoutCode
  readonly chosen: string | undefined
}

/**
 * Save new links, in their order, with their texts for searching, after `first`. Refused: what `first` refuses, and a
 * code that is taken. Undefined if they cannot be saved together. In either case some may be saved, and the
 * transaction has to be undone.
 */
export async function insertLinks(
  tx: Tx,
  first: Steps<Refusal | undefined>,
  links: readonly UnsavedLink[],
  paths: Paths,
): Promise<readonly Link[] | Refusal | undefined> {
  return links.length > 1 && kindOfDatabase(tx).isRemote
    ? ((await inOneGo(tx, first)) ?? insertAtOnce(tx, links, paths))
    : inOneGo(tx, insertEach(tx, first, links, paths))
}

function* insertEach(
  tx: Tx,
  first: Steps<Refusal | undefined>,
  links: readonly UnsavedLink[],
  paths: Paths,
): Steps<readonly Link[] | Refusal> {
  const refusal = yield* first
  if (refusal) return refusal
  const saved: Link[] = []
  for (const { link, chosen } of links) {
    const row = yield* insertLink(tx, link, chosen, paths)
    if (isRefusal(row)) return row
    const made = readLink(row)
    yield* addLinkText(tx, made)
    saved.push(made)
  }
  return saved
}

async function insertAtOnce(
  tx: Tx,
  links: readonly UnsavedLink[],
  paths: Paths,
): Promise<readonly Link[] | Refusal | undefined> {
  for (const { link, chosen } of links) {
    const refusal = chosen !== undefined && refuseReserved(link.domain, chosen, paths)
    if (refusal) return refusal
  }
  const named = links.map(({ link, chosen }) => ({
    ...link,
    short_code: chosen ?? makeShortCode(0),
  }))
  return insertLinksTogether(tx, named)
}
