import type { Selectable } from 'kysely'
import { hasMoreThan } from '../lib/has-more-than.ts'
import { publicId } from '../lib/public-id.ts'
import type { Json } from '../plugin/fields.ts'
import { type Refusal, refuse } from '../plugin/outcomes.ts'
import type { LinkView, SavedLink } from '../plugin.ts'
import type { LinksTable } from '../storage/schema.ts'

/** A link as its owner sees it. */
export interface Link extends SavedLink {
  readonly title: string | null
  readonly notes: string | null
  readonly archived: boolean
  readonly fields: StoredFields
  readonly guardedBy: readonly string[]
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Stored plugin fields, by feature and field name. */
export type StoredFields = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** What is stored for one field. */
export interface StoredField {
  readonly feature: string
  readonly key: string
  readonly stored: Json
}

/** The most that plugins store of a link, in bytes of JSON: a list has a hundred links, and thousands are in memory. */
const maxFieldsBytes = 20_000

/** Stored plugin fields as a row has them; a refusal if they are too large. */
export function fieldsText(fields: StoredFields): string | Refusal {
  const text = JSON.stringify(fields)
  return Buffer.byteLength(text) <= maxFieldsBytes ? text : tooLarge
}

/** Refuses values that are stored as they are, and are too large, without a look at all of them. What is not refused may still be. */
export function refuseLarge(values: readonly unknown[]): Refusal | undefined {
  return hasMoreThan(values, maxFieldsBytes) ? tooLarge : undefined
}

const tooLarge = refuse(
  'validation_failed',
  'All that is set for one link, such as its rules, must have at most 20,000 bytes.',
  422,
)

/** The part of a row that a plugin may see. */
export function viewOf(row: {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  readonly short_code: string
  readonly original_url: string
}): LinkView {
  return {
    id: publicId('lnk', row.id),
    rowId: row.id,
    accountId: row.account_id,
    domain: row.domain,
    shortCode: row.short_code,
    originalUrl: row.original_url,
  }
}

/** A link as a plugin may see it. Fields and notes are not its business: they may be those of another plugin. */
export function shownToPlugins({
  id,
  rowId,
  accountId,
  domain,
  shortCode,
  originalUrl,
  title,
}: SavedLink): SavedLink {
  return { id, rowId, accountId, domain, shortCode, originalUrl, title }
}

/** Reads a link from its row. */
export function readLink(row: Selectable<LinksTable>): Link {
  return {
    ...viewOf(row),
    title: row.title,
    notes: row.notes,
    archived: row.archived === 1,
    fields: JSON.parse(row.fields) as StoredFields,
    guardedBy: JSON.parse(row.guarded_by) as string[],
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}
