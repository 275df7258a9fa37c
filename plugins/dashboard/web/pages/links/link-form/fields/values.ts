import type { Link } from '../../../../api/links/links.ts'
import { changeOf, isSame, type Values } from '../../../../shared/fields/values.ts'
import type { FormField } from './form-fields.ts'

/** The form's values for a link, or an empty form without one. */
export function valuesOf(fields: readonly FormField[], link?: Link): Values {
  return Object.fromEntries(fields.map(field => [field.name, readField(field, link)]))
}

function readField({ name, shownAs, control }: FormField, link: Link | undefined): unknown {
  if (control === 'password') return undefined
  if (control === 'tags') return link?.tags?.map(({ id }) => id) ?? []
  if (control === 'campaign') return link?.campaign?.id ?? null
  if (name === 'original_url') return link?.originalUrl ?? ''
  if (name === 'archived') return link?.archived ?? false
  return shownOf(link, shownAs) ?? null
}

/** Whether a link has a password, which nobody can read. */
export function hasSealed({ shownAs }: FormField, link: Link | undefined): boolean {
  return shownOf(link, `has${shownAs.charAt(0).toUpperCase()}${shownAs.slice(1)}`) === true
}

/** Unknown plugins add fields to a link too. */
function shownOf(link: Link | undefined, name: string): unknown {
  const shown: Readonly<Record<string, unknown>> = { ...link }
  return shown[name]
}

/** A field that somebody else changed while the form was open. */
export interface Difference {
  readonly field: FormField
  readonly mine: unknown
  readonly theirs: unknown
  /** It was changed here as well, to another value: somebody has to choose. */
  readonly isDisputed: boolean
}

/** What somebody else changed since the form was opened. */
export function differencesOf(
  fields: readonly FormField[],
  { base, mine, theirs }: Readonly<Record<'base' | 'mine' | 'theirs', Values>>,
): readonly Difference[] {
  return fields
    .filter(({ name }) => !isSame(base[name], theirs[name]))
    .map(field => ({
      field,
      mine: mine[field.name],
      theirs: theirs[field.name],
      isDisputed:
        !isSame(mine[field.name], base[field.name]) &&
        !isSame(mine[field.name], theirs[field.name]),
    }))
}

/** Applies the changes made here to the newest values. */
export function rebase(mine: Values, base: Values, theirs: Values): Values {
  return { ...theirs, ...changeOf(base, mine) }
}
