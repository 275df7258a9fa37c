import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { takeTurn } from '../../accounts/usage.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Database } from '../../storage/database.ts'
import { type Link, readLink, type StoredFields } from '../link.ts'
import { type LinkDeps, writeLinks } from './link-deps.ts'
import { type CheckedLink, insertAll, type OnVisible } from './save-links.ts'

/** A link that was made, or that was there already. */
export interface MadeOrFound {
  readonly link: Link
  readonly isNew: boolean
}

/** As many links to one address are looked at, the oldest. */
const most = 100

/**
 * Saves a link, unless its account has one that is the same: that leads to the same address on the same host, with the same
 * fields. Of several who ask for the same at once, one makes it.
 */
export async function saveUnlessThere(
  deps: LinkDeps,
  wanted: CheckedLink,
  onVisible: OnVisible,
): Promise<MadeOrFound | Refusal> {
  const { db, hooks } = deps
  const { row, given } = wanted
  const sealed = hooks.sealedIn(given)
  if (sealed !== undefined) return cannotCompare(sealed)
  // Who repeats a request for ever waits for nobody, and writes nothing.
  const [there] = hooks.isElsewhere(given) ? [] : await findAlike(db, wanted)
  if (there) return { link: there, isNew: false }
  const others = new Set<number>()
  for (;;) {
    const saved = await writeLinks<MadeOrFound>(deps, async tx => {
      await takeTurn(tx, row.account_id)
      const like = (await findAlike(tx, wanted)).find(({ rowId }) => !others.has(rowId))
      if (!like) {
        const made = await insertAll(deps, tx, [wanted], onVisible)
        return isRefusal(made) ? made : { link: made[0] as Link, isNew: true }
      }
      if (await hooks.has(tx, like, given)) return { link: like, isNew: false }
      others.add(like.rowId)
      return isAnother
    })
    if (saved !== isAnother) return saved
  }
}

/** Undoes what plugins wrote to see whether it was so. */
const isAnother = refuse('unavailable', 'This is another link.', 503)

function cannotCompare(field: string): Refusal {
  const detail = 'Cannot be compared with that of a link: leave it out, or leave out reuse.'
  return refuse('validation_failed', detail, 422, field)
}

/** The links of the account that are the same in all that is stored with them. */
async function findAlike(
  db: Database,
  { row, given, shortCode }: CheckedLink,
): Promise<readonly Link[]> {
  const rows = await db
    .selectFrom('links')
    .selectAll()
    .where('account_id', '=', row.account_id)
    // Must be written as in the index, or SQLite does not recognise it.
    .where(sql`substr(original_url, 1, 500)`, '=', row.original_url.slice(0, 500))
    .where('original_url', '=', row.original_url)
    .where('domain', '=', row.domain)
    .where('archived', '=', row.archived)
    .orderBy('id')
    .limit(most)
    .execute()
  const fields = JSON.parse(row.fields) as StoredFields
  const isChosen = typeof given.shortCode === 'string'
  return rows
    .map(readLink)
    .filter(
      it =>
        (!isChosen || it.shortCode === shortCode) &&
        (row.title === null || it.title === row.title) &&
        (row.notes === null || it.notes === row.notes) &&
        isDeepStrictEqual(withoutEmpty(it.fields), withoutEmpty(fields)),
    )
}

/** A plugin whose fields were all cleared has none. */
function withoutEmpty(fields: StoredFields): StoredFields {
  return Object.fromEntries(Object.entries(fields).filter(([, own]) => Object.keys(own).length > 0))
}
