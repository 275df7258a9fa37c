import type { PluginSetting } from '../../../../api/admin/plugins.ts'
import { controlOf } from '../../../../shared/fields/control-of.ts'
import { emptyOf } from '../../../../shared/fields/empty-of.ts'
import type { Field } from '../../../../shared/fields/field.ts'
import { changeOf, isSame, type Values } from '../../../../shared/fields/values.ts'
import { adminTexts } from '../../../../texts/admin.ts'

/** The field of a setting, named as the API names it where it says what is wrong. */
export function fieldOf(setting: PluginSetting): Field {
  const { name, label, control, schema } = setting
  return {
    name: `settings.${name}`,
    label,
    hint: hintOf(setting),
    control: controlOf(control, schema),
    schema,
    isRequired: false,
    empty: emptyOfSetting(setting),
    state: 'on',
  }
}

/** The values that settings have. */
export function settingValues(settings: readonly PluginSetting[]): Values {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

/** The values that they have when nobody sets them. */
export function defaultValues(settings: readonly PluginSetting[]): Values {
  return Object.fromEntries(settings.map(setting => [setting.name, setting.default]))
}

/** What differs, as a change: what is as it is by default is stored no more. */
export function settingChange(
  settings: readonly PluginSetting[],
  values: Values,
): Record<string, unknown> {
  const defaults = defaultValues(settings)
  return Object.fromEntries(
    Object.entries(changeOf(settingValues(settings), values)).map(([name, value]) => [
      name,
      isSame(value, defaults[name]) ? null : value,
    ]),
  )
}

/** A choice has no nothing, and an empty text is one only where it is the default. */
function emptyOfSetting({ default: standard, schema }: PluginSetting): unknown {
  const isItsOwn = standard === '' || schema.enum !== undefined
  return isItsOwn ? standard : emptyOf(schema)
}

/** What there is to say of a setting, with what it is by default. */
function hintOf({ hint, default: standard }: PluginSetting): string {
  const words = defaultInWords(standard)
  return [hint, words && adminTexts.plugins.defaultIs(words)].filter(Boolean).join(' ')
}

function defaultInWords(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
