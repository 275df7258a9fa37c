import type { PluginSetting } from '../../../../api/admin/plugins.ts'
import { controlOf } from '../../../../shared/fields/control-of.ts'
import { emptyOf } from '../../../../shared/fields/empty-of.ts'
import { type Field, labelOf } from '../../../../shared/fields/field.ts'
import { changeOf, isSame, type Values } from '../../../../shared/fields/values.ts'
import { adminTexts } from '../../../../texts/admin.ts'

/** The field of a setting, under the name that the API uses in its errors. */
export function fieldOf(setting: PluginSetting): Field {
  const { name, label, labels, control, schema } = setting
  return {
    name: `settings.${name}`,
    label,
    labels,
    hint: hintOf(setting),
    control: controlOf(control, schema),
    schema,
    isRequired: false,
    empty: emptyOfSetting(setting),
    state: 'on',
  }
}

/** The current values of settings. */
export function settingValues(settings: readonly PluginSetting[]): Values {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

/** The default values of settings. */
export function defaultValues(settings: readonly PluginSetting[]): Values {
  return Object.fromEntries(settings.map(setting => [setting.name, setting.default]))
}

/** The settings that differ, as a change. A setting that is back at its default is removed from storage. */
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

/** A choice cannot be empty, and an empty text counts as a value only if it is the default. */
function emptyOfSetting({ default: standard, schema }: PluginSetting): unknown {
  const isItsOwn = standard === '' || schema.enum !== undefined
  return isItsOwn ? standard : emptyOf(schema)
}

/** The hint of a setting, with its default. */
function hintOf({ hint, labels, default: standard }: PluginSetting): string {
  const words = defaultInWords(
    typeof standard === 'string' || typeof standard === 'number'
      ? labelOf({ labels }, standard)
      : standard,
  )
  return [hint, words && adminTexts.plugins.defaultIs(words)].filter(Boolean).join(' ')
}

function defaultInWords(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
