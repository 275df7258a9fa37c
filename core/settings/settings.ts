import { z } from 'zod'
import { UserError } from '../lib/user-error.ts'
import { brandPatch } from './brand.ts'
import type { FeaturesPatch } from './contract.ts'
import { type StoredPlan, storedPlans } from './plan-schema.ts'

/** What an admin changed while the instance runs; it overrides what the folder `config` says. */
const settingsSchema = z.strictObject({
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

/** Settings that must not be used; the message has a line for each mistake, with its remedy. */
export class UnusableSettings extends UserError {
  override readonly name = 'UnusableSettings'
}

/** Parse settings from JSON. Throws `UnusableSettings`. */
export function parseSettings(place: string, text: string): RunTimeSettings {
  return checkSettings(place, parseJson(place, text))
}

/** @param place where the settings are kept, for people */
function checkSettings(place: string, settings: unknown): RunTimeSettings {
  const checked = settingsSchema.safeParse(settings)
  if (!checked.success) throw new UnusableSettings(mistakesIn(place, checked.error))
  return checked.data
}

function parseJson(place: string, text: string): unknown {
  try {
    // Editors of Windows write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new UnusableSettings(
      `${place} is not JSON: ${(cause as Error).message}. ` +
        'Correct it, or move it away to go back to the settings in the folder config.',
    )
  }
}

function mistakesIn(place: string, { issues }: z.ZodError): string {
  const mistakes = issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        key => `${place}: ${[...issue.path, key].join('.')} does not exist. Remove it.`,
      )
    }
    const where = issue.path.length === 0 ? 'the whole' : issue.path.join('.')
    return `${place}: ${where} is wrong: ${issue.message}. Correct it, or remove it to go back to the default.`
  })
  return mistakes.join('\n')
}
