import { z } from '../../../core/plugin.ts'
import type { Source } from './source.ts'

const settingSchema = z.strictObject({
  name: z.string(),
  label: z.string(),
  hint: z.string().nullable(),
  control: z.string(),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'What people read in place of the values of a choice.' }),
  isRequired: z.boolean(),
  isSecret: z.boolean().meta({ description: 'Kept only until the import ends, and never shown.' }),
  default: z.unknown(),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of its value.' }),
})

/** A program from which links come, as the API shows it. */
export const sourceSchema = z.strictObject({
  name: z.string().meta({ examples: ['shlink'] }),
  label: z.string().meta({ examples: ['Shlink'] }),
  about: z.string(),
  settings: z.array(settingSchema),
  file: z
    .strictObject({
      endings: z.array(z.string()),
      isOptional: z.boolean(),
      refusal: z
        .string()
        .nullable()
        .meta({ description: 'Why this server reads no files, such as for want of memory.' }),
    })
    .nullable()
    .meta({ description: 'Which files it reads. Null: it reads a server.' }),
})

export function showSource({ name, label, about, settings, file }: Source) {
  return {
    name,
    label,
    about,
    settings: Object.entries(settings).map(showSetting),
    file: file ? showFile(file) : null,
  }
}

function showFile({ endings, orSettings, refusal }: NonNullable<Source['file']>) {
  return { endings: [...endings], isOptional: orSettings !== undefined, refusal: refusal ?? null }
}

function showSetting([name, setting]: readonly [string, Source['settings'][string]]) {
  return {
    name,
    label: setting.label,
    hint: setting.hint ?? null,
    control: setting.control,
    labels: { ...setting.labels },
    isRequired: setting.isOptional !== true && setting.default === undefined,
    isSecret: setting.env !== undefined,
    default: setting.default ?? null,
    schema: z.toJSONSchema(setting.schema, { io: 'input', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >,
  }
}
