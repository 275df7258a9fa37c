import type { Selectable } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import { type Database, type Steps, step, type Tx } from '../../storage/database.ts'
import { asJson, type Columns, namesOf, rowsOf } from '../../storage/json-rows.ts'
import type { LinksTable } from '../../storage/schema.ts'
import type { Paths } from '../codes/reserved-codes.ts'
import { takingCodes } from '../codes/taking-codes.ts'
import { type Link, readLink } from '../link.ts'
import { addLinkTexts } from '../link-text.ts'
import { makeShortCode } from './short-code.ts'
import { refuseReserved, refuseTaken } from './take-code.ts'

type LinkRow = Selectable<LinksTable>
/** A link before it has a code. */
export type LinkWithoutCode = Omit<LinkRow, 'id' | 'short_code'>
type LinkWithoutId = Omit<LinkRow, 'id'>

/** A link before it is saved, and the code that was chosen for it. */
export interface UnsavedLink {
  readonly link: LinkWithoutCode
  readonly chosen: string | undefined
}

/** More than enough: a random code of seven characters meets another once in 10^11. */
const maxAttempts = 16

/**
 * Saves new links in one go, each under the code that was chosen for it, or else under a random one, with their texts
 * for searching; returns them in their order. Refused: a code that is taken or reserved; the transaction has to be
 * undone then, because other links may be saved.
 */
export function* insertLinks(
  tx: Tx,
  links: readonly UnsavedLink[],
  paths: Paths,
): Steps<readonly Link[] | Refusal> {
  for (const { link, chosen } of links) {
    const refusal = chosen !== undefined && refuseReserved(link.domain, chosen, paths)
    if (refusal) return refusal
  }
  const saved = new Map<UnsavedLink, Link>()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const unsaved = links.filter(it => !saved.has(it))
    const named = unsaved.map(({ link, chosen }) => ({
      ...link,
      short_code: chosen ?? makeShortCode(attempt),
    }))
    const rows = yield* insertRows(tx, named)
    const taken = yield* takingCodes(tx, rows.map(codeToTake))
    const unnamed = rows.filter(({ id }) => !taken.has(id))
    for (const [index, it] of unsaved.entries()) {
      const row = rows[index] as LinkRow
      if (taken.has(row.id)) saved.set(it, readLink(row))
      else if (it.chosen !== undefined) return refuseTaken(row.domain, it.chosen)
    }
    if (unnamed.length === 0) {
      const all = links.map(it => saved.get(it) as Link)
      yield* addLinkTexts(tx, all)
      return all
    }
    const ids = unnamed.map(({ id }) => id)
    yield* step(tx.deleteFrom('links').where('id', 'in', ids).compile())
  }
  throw new Error(`No free short code in ${maxAttempts} attempts.`)
}

/** In the order of the links. */
function* insertRows(tx: Tx, links: readonly LinkWithoutId[]): Steps<readonly LinkRow[]> {
  const { rows } = yield* step(insert.withValues(tx, { given: asJson(links, columns) }))
  const ids = new Map(rows.map(row => [keyOf(row), row.id]))
  if (ids.size < links.length) throw new Error('Two new links have the same short code.')
  return links.map(link => ({ id: ids.get(keyOf(link)) as number, ...link }))
}

function keyOf({ domain, short_code }: Pick<LinkRow, 'domain' | 'short_code'>): string {
  return `${domain} ${short_code}`
}

function codeToTake({ id, account_id, domain, short_code, created_at }: LinkRow) {
  return { domain, code: short_code, link_id: id, account_id, created_at }
}

const columns: Columns<keyof LinkWithoutId> = {
  texts: ['domain', 'short_code', 'original_url', 'title', 'notes', 'fields', 'guarded_by'],
  numbers: ['account_id', 'archived', 'version', 'created_at', 'updated_at'],
}

const insert = compileOnce((db: Database, { given }: Places<{ given: string }>) =>
  db
    .insertInto('links')
    .columns(namesOf(columns))
    .expression(rowsOf(given, columns))
    .returning(['id', 'domain', 'short_code']),
)
