import type { PluginSetting } from '../../../../api/admin-plugins.ts'
import { texts } from '../../../../texts.ts'

/** What the form holds, by the names of settings. */
export type SettingValues = Readonly<Record<string, unknown>>

/** Where the API says what is wrong with a setting. */
export function fieldName(name: string): string {
  return `settings.${name}`
}

/** The values that settings have from the next start on. */
export function settingValues(settings: readonly PluginSetting[]): SettingValues {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

/** The values that they have when nobody sets them. */
export function defaultValues(settings: readonly PluginSetting[]): SettingValues {
  return Object.fromEntries(settings.map(setting => [setting.name, setting.default]))
}

/** What differs, as a change: what is as it is by default is stored no more. */
export function settingChange(
  settings: readonly PluginSetting[],
  values: SettingValues,
): Record<string, unknown> {
  return Object.fromEntries(
    settings
      .filter(({ name, value }) => !isSame(value, values[name]))
      .map(it => [it.name, isSame(values[it.name], it.default) ? null : values[it.name]]),
  )
}

/** What an input gives for “nothing”, as the setting says it. */
export function orEmpty(setting: PluginSetting, given: unknown): unknown {
  if (given !== null) return given
  if (setting.control === 'toggle') return false
  if (setting.control === 'list') return []
  return setting.default === '' ? '' : null
}

/** What there is to say of a setting, with what it is by default. */
export function hintOf({ hint, default: standard }: PluginSetting): string {
  const words = defaultInWords(standard)
  return [hint, words && texts.admin.plugins.defaultIs(words)].filter(Boolean).join(' ')
}

/** The same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function defaultInWords(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
