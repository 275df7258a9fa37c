import type { Link } from '../../../../api/links/links.ts'
import { changeOf, isSame, type Values } from '../../../../shared/fields/values.ts'
import type { FormField } from './form-fields.ts'

/** What the form shows of a link; of none: an empty form. */
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

/** Whether a link has a password that nobody may read. */
export function hasSealed({ shownAs }: FormField, link: Link | undefined): boolean {
  return shownOf(link, `has${shownAs.charAt(0).toUpperCase()}${shownAs.slice(1)}`) === true
}

/** Plugins that were never heard of add to a link too. */
function shownOf(link: Link | undefined, name: string): unknown {
  const shown: Readonly<Record<string, unknown>> = { ...link }
  return shown[name]
}

/** One field that somebody else changed while the form was open. */
export interface Difference {
  readonly field: FormField
  readonly mine: unknown
  readonly theirs: unknown
  /** Changed here too, to something else: somebody has to choose. */
  readonly isDisputed: boolean
}

/** What changed elsewhere since the form was opened. */
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

/** What was changed here laid upon what is there now. */
export function rebase(mine: Values, base: Values, theirs: Values): Values {
  return { ...theirs, ...changeOf(base, mine) }
}
