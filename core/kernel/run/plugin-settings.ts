import { z } from 'zod'
import { messageForPeople } from '../../lib/message-for-people.ts'
import { type Env, findText } from '../../lib/variable-text.ts'
import type { Field, Json } from '../../plugin/fields.ts'
import type { Plugin } from '../../plugin.ts'

/** The settings that the operator set, by feature and name. */
export type StoredSettings = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** The settings of a plugin, and what is wrong with what is stored and in the environment. */
interface ReadSettings {
  readonly values: Readonly<Record<string, unknown>>
  readonly mistakes: readonly string[]
  /** Names that are stored and that it does not have, such as those of an earlier version. */
  readonly leftovers: readonly string[]
}

/** Returns a plugin's settings, with defaults for those that are not set. Secrets come only from the environment. */
export function readPluginSettings(plugin: Plugin, stored: StoredSettings, env: Env): ReadSettings {
  const pluginSettings = stored[plugin.feature] ?? {}
  const known = Object.entries(plugin.settings ?? {})
  const leftovers = Object.keys(pluginSettings).filter(it => !known.some(([name]) => name === it))
  const mistakes = known.flatMap(([name, { env: variable }]) =>
    variable && Object.hasOwn(pluginSettings, name)
      ? `The setting ${name} of ${plugin.feature} can only be set in the environment: ` +
        `remove it from settings.json, and set ${variable}.`
      : [],
  )

  const values = known.map(([name, setting]) => {
    if (setting.env) {
      const found = findText({ name: setting.env }, env)
      if (found && 'mistake' in found) {
        mistakes.push(found.mistake)
        return [name, undefined] as const
      }
      const given = found?.text
      // The value itself is never shown.
      const asGiven = { schema: setting.schema.optional(), open: (text: unknown) => text }
      const { problem } = readBy(asGiven, given)
      if (problem !== undefined) mistakes.push(`${setting.env} is invalid: ${problem}`)
      return [name, given] as const
    }
    const given = pluginSettings[name] ?? setting.default
    if (given === undefined && setting.isOptional) return [name, undefined] as const
    const { value, problem } = readBy(setting, given)
    if (problem !== undefined)
      mistakes.push(`The setting ${name} of ${plugin.feature} is wrong: ${problem}.`)
    return [name, value] as const
  })
  return { values: Object.fromEntries(values), mistakes, leftovers }
}

/** What a plugin reads in a value, or what is wrong with that: its own code runs, and may fail. */
export function readBy(
  { schema, open }: Pick<Field, 'schema' | 'open'>,
  given: unknown,
  sentence?: z.core.$ZodErrorMap,
): { readonly value?: unknown; readonly problem?: string | undefined } {
  try {
    const { data, error } = schema.safeParse(given, sentence && { error: sentence })
    return error ? { problem: error.issues[0]?.message } : { value: open(data as Json) }
  } catch (error) {
    return { problem: `its check failed, ${failureOfCheck(error)}` }
  }
}

/** Why a schema that a plugin made could not check a value, without a full stop. */
export function failureOfCheck(error: unknown): string {
  if (error instanceof z.core.$ZodAsyncError) return 'because it is asynchronous'
  return `with: ${messageForPeople(error).replace(/\.$/, '')}`
}

/** The environment variables that a plugin reads. */
export function secretNames({ settings = {} }: Plugin): readonly string[] {
  return Object.values(settings).flatMap(({ env }) => env ?? [])
}
