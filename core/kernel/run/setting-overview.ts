import { z } from 'zod'
import { type Env, fileVariable, findText } from '../../lib/variable-text.ts'
import type { Field } from '../../plugin/fields.ts'
import type { Plugin } from '../../plugin.ts'
import { describeField, fieldEntry } from '../load/described-field.ts'
import { deciders } from '../load/plugin-choice.ts'
import type { Translate } from '../load/plugin-texts.ts'
import type { PluginState } from './plugin-state.ts'

/** A setting of a plugin as admins see it. */
export const settingOverview = z.strictObject({
  ...fieldEntry.shape,
  default: z.unknown(),
  value: z.unknown().meta({ description: 'Null for a secret.' }),
  decidedBy: z.enum(deciders),
  variable: z
    .string()
    .nullable()
    .meta({ description: 'Of a secret: the environment variable that holds it.' }),
  isSet: z.boolean(),
})

/** The settings of a plugin. Of secrets, it says only whether they are set. */
export function describeSettings(
  { feature, settings = {} }: Plugin,
  { stored, env }: Pick<PluginState, 'stored' | 'env'>,
  translate: Translate = text => text,
): z.infer<typeof settingOverview>[] {
  const pluginSettings = stored(feature)
  return Object.entries(settings).map(([name, setting]) => ({
    ...describeField(name, setting, translate),
    ...(setting.env === undefined
      ? plainValue(setting, pluginSettings[name])
      : secretValue(setting.env, sourceOf(setting.env, env))),
  }))
}

/** The environment variable that a secret comes from; undefined if it is not set. */
function sourceOf(name: string, env: Env): string | undefined {
  const found = findText({ name }, env)
  return found && ('from' in found ? found.from : fileVariable(name))
}

function plainValue(setting: Field, stored: unknown) {
  const isSet = stored !== undefined
  return {
    default: setting.default ?? null,
    value: stored ?? setting.default ?? null,
    decidedBy: isSet ? ('setting' as const) : ('default' as const),
    variable: null,
    isSet,
  }
}

function secretValue(name: string, source: string | undefined) {
  return {
    default: null,
    value: null,
    decidedBy: 'environment' as const,
    variable: source ?? name,
    isSet: source !== undefined,
  }
}
