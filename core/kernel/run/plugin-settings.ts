import { readFileSync } from 'node:fs'
import type { Json } from '../../plugin/fields.ts'
import type { Plugin } from '../../plugin.ts'

/** What the operator set, by feature and setting. */
export type StoredSettings = Readonly<Record<string, Readonly<Record<string, Json>>>>

/**
 * A plugin's settings: what is set, else the default; secrets from the environment alone, as `NAME` or
 * as a file named by `NAME_FILE`; an empty one counts as not set.
 */
export function readPluginSettings(
  plugin: Plugin,
  stored: StoredSettings,
  env: Readonly<Record<string, string | undefined>>,
): { readonly values: Readonly<Record<string, unknown>>; readonly mistakes: readonly string[] } {
  const own = stored[plugin.feature] ?? {}
  const known = Object.entries(plugin.settings ?? {})
  const mistakes = Object.keys(own).flatMap(name => {
    const setting = plugin.settings?.[name]
    if (setting && !setting.env) return []
    return setting
      ? `The setting ${name} of ${plugin.feature} can only be set in the environment: ` +
          `remove it from settings.json, and set ${setting.env}.`
      : `${plugin.feature} has no setting ${name}: remove it from settings.json.`
  })

  const values = known.map(([name, setting]) => {
    if (setting.env) {
      const given = readSecret(setting.env, env)
      const { error } = setting.schema.optional().safeParse(given)
      // The value itself is never shown.
      if (error) mistakes.push(`${setting.env} is invalid: ${error.issues[0]?.message}`)
      return [name, given] as const
    }
    const given = own[name] ?? setting.default
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

/** The variable that gives a secret, `NAME` or `NAME_FILE`; undefined when neither is set. */
export function secretSource(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env[name] !== undefined) return name
  return env[`${name}_FILE`] ? `${name}_FILE` : undefined
}

function readSecret(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const source = secretSource(name, env)
  if (source === undefined) return undefined
  const given = env[source] ?? ''
  const text = source === name ? given : readFileSync(given, 'utf8').trimEnd()
  return text === '' ? undefined : text
}
