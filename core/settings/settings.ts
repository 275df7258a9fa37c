import { z } from 'zod'
import { brandPatch } from './brand.ts'
import type { FeaturesPatch } from './contract.ts'
import { type StoredPlan, storedPlans } from './plan-schema.ts'

/** What an admin changed while the instance runs; it lies on top of what the folder `config` says. */
export const settingsSchema = z.strictObject({
  brand: brandPatch.optional(),
  features: z.record(z.string(), z.boolean()).optional(),
  plans: storedPlans.optional(),
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

export type RunTimeSettings = Omit<z.output<typeof settingsSchema>, 'plans' | 'features'> & {
  readonly features?: FeaturesPatch | undefined
  readonly plans?: Readonly<Record<string, StoredPlan | undefined>> | undefined
}

/** Where run-time settings live. */
export interface SettingsStore {
  /** The settings as they are; what is returned never changes. */
  read(): RunTimeSettings
  /** Change them; done when they are durable. When that fails nothing has changed, and it throws. */
  update(change: (settings: RunTimeSettings) => RunTimeSettings): Promise<RunTimeSettings>
  /** Take in what another process changed. Throws `UnusableSettings`, and then nothing has changed. */
  reload(): Promise<void>
  /** Whether they could be used when they were last read. */
  isUsable(): boolean
  /** Called after each change, in the order of asking. */
  onChange(listener: () => void): void
}
