import type { ImportSource } from '../../../api/links/imports.ts'
import { controlOf } from '../../../shared/fields/control-of.ts'
import { emptyOf } from '../../../shared/fields/empty-of.ts'
import type { Field } from '../../../shared/fields/field.ts'
import type { JsonSchema } from '../../../shared/fields/json-schema.ts'
import type { Values } from '../../../shared/fields/values.ts'

type Setting = ImportSource['settings'][number]

/** What a source asks for, as fields of a form. */
export function fieldsOf({ settings }: ImportSource): readonly Field[] {
  return settings.map(setting => {
    const schema = setting.schema as JsonSchema
    return {
      ...{ name: setting.name, label: setting.label, hint: setting.hint, labels: setting.labels },
      control: controlOf(setting.control, schema),
      schema,
      isRequired: setting.isRequired,
      empty: emptyOf(schema),
      state: 'on' as const,
    }
  })
}

/** What the form begins with. */
export function startOf({ settings }: ImportSource): Values {
  return Object.fromEntries(
    settings.map(setting => [
      setting.name,
      setting.default ?? emptyOf(setting.schema as JsonSchema),
    ]),
  )
}

/** What is sent: nothing of what is empty. */
export function settingsOf({ settings }: ImportSource, values: Values): Record<string, unknown> {
  const given = settings.map(({ name }: Setting) => [name, values[name]] as const)
  return Object.fromEntries(
    given.filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}
