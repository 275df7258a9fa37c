import {
  findColumns,
  targets as knownColumns,
} from '../../../../../organization/imports/reading/column-names.ts'
import type { ManifestEntry } from '../../../api/links/link-form.ts'
import { withoutNull } from '../../../shared/fields/json-schema.ts'
import { wordsOf } from '../../../shared/fields/names.ts'
import { allFields, type FormField, formFields } from '../link-form/fields/form-fields.ts'
import type { Table } from './read-table.ts'
import { isAddress } from './read-table.ts'

/** What a column can contain: a field of the form for a new link, or a part of one. */
export interface Target {
  /** As imports call it, such as `startsAt` or `utmSource`. */
  readonly name: string
  readonly label: string
  readonly field: FormField
  /** Which part of the field it is, such as `source`. */
  readonly part?: string
}

/** What each column of a table contains; null leaves a column out. */
export type Columns = readonly (Target | null)[]

/** Fields that are called by an id in requests, and by a name in tables. */
const names: Readonly<Record<string, string>> = {
  shortCode: 'code',
  domain: 'host',
  tagIds: 'tags',
  campaignId: 'campaign',
}

/** What columns can contain in this account: all that the form for a new link has and a cell can hold. */
export function targetsIn(manifest: readonly ManifestEntry[]): readonly Target[] {
  const fields = allFields(formFields(manifest, 'create')).filter(({ state }) => state === 'on')
  return fields.flatMap(targetsOf)
}

function targetsOf(field: FormField): readonly Target[] {
  const { control, label, schema, shownAs } = field
  if (control === 'utm') {
    return Object.keys(withoutNull(schema).properties ?? {}).map(part => ({
      name: `utm${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      label: `${label}: ${wordsOf(part)}`,
      ...{ field, part },
    }))
  }
  if (['rules', 'object', 'json'].includes(control)) return []
  return [{ name: names[shownAs] ?? shownAs, label, field }]
}

/** Guesses what the columns of a table contain, by their names or values. */
export function guessColumns(
  { head, rows }: Table,
  possible: readonly Target[],
  schemes: readonly string[] = [],
): Columns {
  const width = head?.length ?? Math.max(0, ...rows.slice(0, 100).map(it => it.cells.length))
  const named = (name: string) => possible.find(it => it.name === name) ?? null
  const wanted = possible.map(({ name }) => name)
  // In the order of the list, which says what the name of a column means first.
  const known = knownColumns.filter(it => wanted.includes(it))
  const places = findColumns(head ?? [], [...new Set([...known, ...wanted])])
  const byPlace = new Map(Object.entries(places).map(([name, index]) => [index, named(name)]))
  const unique = Array.from({ length: width }, (_, index) => byPlace.get(index) ?? null)
  const originalUrl = named('originalUrl')
  if (unique.includes(originalUrl)) return unique
  const urls = rows[0]?.cells.findIndex(it => isAddress(it.trim(), schemes)) ?? -1
  const found = unique.map((it, index) => (index === urls ? originalUrl : it))
  if (head !== null || !named('code')) return found
  // Without names, the column next to the address is the short code.
  const code = found.findIndex((it, index) => it === null && index < 2)
  return found.map((it, index) => (index === code ? named('code') : it))
}
