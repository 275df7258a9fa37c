import { Overloaded } from '../../lib/async/bounded-queue.ts'
import type { Json } from '../../plugin/fields.ts'
import type { LinkView, Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { LinkCache } from '../follow/cache.ts'
import { fieldsText, type StoredField, type StoredFields } from '../link.ts'

/** Stores another form of the value of a field of a link, some time later. */
export type RenewField = (link: LinkView, field: StoredField, form: () => Promise<Json>) => void

/** More of them get their turn when they are needed the next time. */
const mostWaiting = 100

/**
 * Replaces what is stored, unless it was changed meanwhile, or has no room. The link keeps its version, and nobody is told: it means the
 * same. One after another, since making the form may take a fifth of a second of a processor.
 */
export function fieldRenewal({
  db,
  cache,
  log,
  signal,
}: {
  readonly db: Database
  readonly cache: Pick<LinkCache, 'forget'>
  readonly log: Log
  readonly signal: AbortSignal
}): RenewField {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  async function renew(rowId: number, field: StoredField, form: Json): Promise<void> {
    const row = await db
      .selectFrom('links')
      .select('fields')
      .where('id', '=', rowId)
      .executeTakeFirst()
    const after = row && withForm(JSON.parse(row.fields), field, form)
    if (after !== undefined) {
      await db
        .updateTable('links')
        .set({ fields: after })
        .where('id', '=', rowId)
        .where('fields', '=', row?.fields ?? '')
        .execute()
    }
    cache.forget(rowId)
  }

  return (link, field, form) => {
    if (waiting >= mostWaiting) return
    waiting += 1
    last = last
      .then(form)
      .then(made => renew(link.rowId, field, made))
      .catch(error => {
        if (error instanceof Overloaded || signal.aborted) return
        log.warn('A password from another program could not be hashed anew', {
          link: link.id,
          error,
        })
      })
      .finally(() => {
        waiting -= 1
      })
  }
}

/** Undefined if the field has another value, or the link no room for this one. */
function withForm(
  fields: StoredFields,
  { feature, key, stored }: StoredField,
  form: Json,
): string | undefined {
  if (fields[feature]?.[key] !== stored) return undefined
  const text = fieldsText({ ...fields, [feature]: { ...fields[feature], [key]: form } })
  return typeof text === 'string' ? text : undefined
}
