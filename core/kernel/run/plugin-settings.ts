import { type Env, findText } from '../../lib/variable-text.ts'
import type { Json } from '../../plugin/fields.ts'
import type { Plugin } from '../../plugin.ts'

/** The settings that the operator set, by feature and name. */
export type StoredSettings = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** Returns a plugin's settings, with defaults for those that are not set. Secrets come only from the environment. */
export function readPluginSettings(
  plugin: Plugin,
  stored: StoredSettings,
  env: Env,
): { readonly values: Readonly<Record<string, unknown>>; readonly mistakes: readonly string[] } {
  const pluginSettings = stored[plugin.feature] ?? {}
  const known = Object.entries(plugin.settings ?? {})
  const mistakes = Object.keys(pluginSettings).flatMap(name => {
    const setting = plugin.settings?.[name]
    if (setting && !setting.env) return []
    return setting
      ? `The setting ${name} of ${plugin.feature} can only be set in the environment: ` +
          `remove it from settings.json, and set ${setting.env}.`
      : `${plugin.feature} has no setting ${name}: remove it from settings.json.`
  })

  const values = known.map(([name, setting]) => {
    if (setting.env) {
      const found = findText({ name: setting.env }, env)
      if (found && 'mistake' in found) {
        mistakes.push(found.mistake)
        return [name, undefined] as const
      }
      const given = found?.text
      const { error } = setting.schema.optional().safeParse(given)
      // The value itself is never shown.
      if (error) mistakes.push(`${setting.env} is invalid: ${error.issues[0]?.message}`)
      return [name, given] as const
    }
    const given = pluginSettings[name] ?? setting.default
    if (given === undefined && setting.isOptional) return [name, undefined] as const
    const parsed = setting.schema.safeParse(given)
    if (parsed.success) return [name, setting.open(parsed.data as Json)] as const
    const [problem] = parsed.error.issues
    mistakes.push(`The setting ${name} of ${plugin.feature} is wrong: ${problem?.message}.`)
    return [name, undefined] as const
  })
  return { values: Object.fromEntries(values), mistakes }
}

/** The environment variables that a plugin reads. */
export function secretNames({ settings = {} }: Plugin): readonly string[] {
  return Object.values(settings).flatMap(({ env }) => env ?? [])
}
