import { z } from 'zod'
import { brandPatch } from './brand.ts'
import type { FeaturesPatch } from './contract.ts'
import { type StoredPlan, storedPlans } from './plan-schema.ts'

/** What an admin changed while the instance runs; it overrides what the folder `config` says. */
export const settingsSchema = z.strictObject({
  brand: brandPatch.optional(),
  features: z.record(z.string(), z.boolean()).optional(),
  plans: storedPlans.optional(),
  plugins: z
    .strictObject({
      /** Features that are switched off. */
      off: z.array(z.string()).optional(),
      /** Features that are switched on in addition to those that the configuration lists. */
      on: z.array(z.string()).optional(),
      /** Values by feature and name; each plugin validates its own. */
      settings: z.record(z.string(), z.record(z.string(), z.json())).optional(),
    })
    .optional(),
})

export type RunTimeSettings = Omit<z.output<typeof settingsSchema>, 'plans' | 'features'> & {
  readonly features?: FeaturesPatch | undefined
  readonly plans?: Readonly<Record<string, StoredPlan | undefined>> | undefined
}

/** Stores the run-time settings. */
export interface SettingsStore {
  /** The current settings; the returned object never changes. */
  read(): RunTimeSettings
  /** Change the settings; resolves when they are durable. If that fails, it throws and nothing has changed. */
  update(change: (settings: RunTimeSettings) => RunTimeSettings): Promise<RunTimeSettings>
  /** Load what another process changed. Throws `UnusableSettings`, and then nothing has changed. */
  reload(): Promise<void>
  /** Whether the settings were usable when they were last read. */
  isUsable(): boolean
  /** Calls the listener after each change; listeners are called in the order in which they were added. */
  onChange(listener: () => void): void
}
