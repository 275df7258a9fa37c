import { z } from 'zod'
import { brandPatch } from './brand.ts'
import { featuresPatch } from './features.ts'
import { planSlugs } from './plan.ts'
import { planPatch } from './plan-schema.ts'

/** What an admin changed while the instance runs; it lies on top of what the folder `config` says. */
export const settingsSchema = z.strictObject({
  brand: brandPatch.optional(),
  features: featuresPatch.optional(),
  plans: z.partialRecord(z.enum(planSlugs), planPatch).optional(),
  plugins: z
    .strictObject({
      /** Features that are switched off. */
      off: z.array(z.string()).optional(),
      /** Features that are switched on besides those that the configuration lists. */
      on: z.array(z.string()).optional(),
      /** Values by feature and name; each plugin checks its own. */
      settings: z.record(z.string(), z.record(z.string(), z.json())).optional(),
    })
    .optional(),
})

export type RunTimeSettings = z.output<typeof settingsSchema>

/** Where run-time settings live. */
export interface SettingsStore {
  /** The settings as they are; what is returned never changes. */
  read(): RunTimeSettings
  /** Change them; done when they are durable. When that fails nothing has changed, and it throws. */
  update(change: (settings: RunTimeSettings) => RunTimeSettings): Promise<RunTimeSettings>
  /** Called after each change, in the order of asking. */
  onChange(listener: () => void): void
}
