import { z } from 'zod'
import type { Field } from '../../plugin/fields.ts'
import type { Translate } from './plugin-texts.ts'

/** A field as the dashboard draws it. */
export const fieldEntry = z.object({
  name: z.string(),
  label: z.string(),
  control: z.string(),
  hint: z.string().nullable(),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'What people read in place of the values of a choice.' }),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of its value.' }),
})

export function describeField(
  name: string,
  { label, control, hint, labels = {}, schema }: Field,
  translate: Translate,
): z.infer<typeof fieldEntry> {
  return {
    name,
    label: translate(label),
    control,
    hint: hint === undefined ? null : translate(hint),
    labels: Object.fromEntries(
      Object.entries(labels).map(([value, text]) => [value, translate(text)]),
    ),
    schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >,
  }
}
