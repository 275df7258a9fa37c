import type { ManifestEntry } from '../../../../api/links/link-form.ts'
import type { Field } from '../../../../shared/fields/field.ts'
import { toSnake, wordsOf } from '../../../../shared/fields/names.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import { type LinkControl, linkControlOf } from './link-control-of.ts'

/** One field of the form. */
export interface FormField extends Field<LinkControl> {
  /** Its name in an answer of the API, such as `originalUrl`. */
  readonly shownAs: string
}

/** The fields that one plugin adds to the form. */
export interface FormSection {
  readonly feature: string
  readonly heading: string
  readonly about: string
  readonly isBarred: boolean
  readonly fields: readonly FormField[]
}

/** All fields of a form, in order. */
export interface FormFields {
  /** What defines a link: its original URL, its title. */
  readonly main: readonly FormField[]
  /** What helps to find it again. */
  readonly sorting: readonly FormField[]
  /** The other fields of plugins, one section per plugin. */
  readonly sections: readonly FormSection[]
}

export type FormKind = 'create' | 'edit'

const mainNames = ['original_url', 'domain', 'short_code', 'title', 'notes']
const sortingNames = ['tag_ids', 'campaign_id', 'archived']

/** Nobody archives a link while creating it. */
const laterNames = ['archived']

/** The form for a new or an existing link, built from the plugins' manifest. */
export function formFields(manifest: readonly ManifestEntry[], kind: FormKind): FormFields {
  const sections = manifest.map(entry => sectionOf(entry, kind))
  const core = coreFields.filter(({ name }) => kind === 'edit' || !laterNames.includes(name))
  const all = [...core, ...sections.flatMap(({ fields }) => fields)]
  // A plugin's field replaces ours of the same name, such as the original URL of an existing link.
  const named = (names: readonly string[]) =>
    names.flatMap(name => {
      const field = all.findLast(it => it.name === name)
      if (!field) return []
      const isFixed = kind === 'edit' && field === originalUrl
      return [isFixed ? { ...field, state: 'fixed' as const } : required(field)]
    })
  const others = ({ name }: FormField) => ![...mainNames, ...sortingNames].includes(name)

  return {
    main: named(mainNames),
    sorting: named(sortingNames),
    sections: sections
      .map(section => ({ ...section, fields: section.fields.filter(others) }))
      .filter(({ fields }) => fields.length > 0),
  }
}

/** Every field of a form. */
export function allFields({ main, sorting, sections }: FormFields): readonly FormField[] {
  return [...main, ...sorting, ...sections.flatMap(({ fields }) => fields)]
}

function sectionOf({ feature, about, enabled, fields }: ManifestEntry, kind: FormKind) {
  const shown = fields.filter(
    ({ when, control }) => (when === null || when === kind) && control !== 'none',
  )
  const [first, ...more] = shown
  return {
    feature,
    about,
    isBarred: !enabled,
    heading: first && more.length === 0 ? first.label : wordsOf(feature.split('.').at(-1) ?? ''),
    fields: shown.map(({ name, label, labels, hint, control, schema }) => ({
      name: toSnake(name),
      shownAs: name,
      label,
      labels,
      hint,
      control: linkControlOf(feature, { name, control, schema }),
      schema,
      isRequired: false,
      empty: null,
      state: enabled ? ('on' as const) : ('barred' as const),
    })),
  }
}

/** An empty field is sent as it is: the API reports that it is required. */
function required(field: FormField): FormField {
  return field.name === 'original_url' ? { ...field, isRequired: true, empty: '' } : field
}

function coreField(field: Pick<FormField, 'name' | 'shownAs' | 'label' | 'control'>): FormField {
  return { hint: null, schema: {}, isRequired: false, empty: null, state: 'on', ...field }
}

const { fields } = linkFormTexts

const originalUrl = coreField({
  name: 'original_url',
  shownAs: 'originalUrl',
  label: fields.originalUrl,
  control: 'address',
})

const coreFields: readonly FormField[] = [
  originalUrl,
  coreField({ name: 'title', shownAs: 'title', label: fields.title, control: 'text' }),
  coreField({ name: 'notes', shownAs: 'notes', label: fields.notes, control: 'prose' }),
  {
    ...coreField({
      name: 'archived',
      shownAs: 'archived',
      label: fields.archived,
      control: 'toggle',
    }),
    hint: fields.archivedHint,
    empty: false,
  },
]
