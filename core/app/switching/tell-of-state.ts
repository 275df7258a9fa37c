import { createHash } from 'node:crypto'
import type { RunningPlugins } from '../../kernel/run/start-plugins.ts'
import type { Json, Log } from '../../plugin.ts'
import type { RunTimeSettings, SettingsStore } from '../../settings/settings.ts'
import type { Database } from '../../storage/database.ts'
import { tellOfState } from '../../storage/outbox.ts'

/** Tells of settings that admins changed, and of plugins that were switched. */
export interface TellOfState {
  settings(): Promise<void>
  plugins(running: RunningPlugins['running']): Promise<void>
}

export function createTellOfState(
  db: Database,
  settings: SettingsStore,
  { now, log }: { readonly now: () => Date; readonly log: Log },
): TellOfState {
  async function tell(kind: string, state: Readonly<Record<string, Json>>): Promise<void> {
    try {
      await tellOfState(db, kind, now(), state)
    } catch (error) {
      // What was not told is told at the next change or start.
      log.warn(`A change of ${kind} is told later to those who hear of it`, { error })
    }
  }
  const tellOfSettings = () => tell('settings', shown(settings.read()))
  settings.onChange(() => void tellOfSettings())
  return {
    settings: tellOfSettings,
    plugins: running =>
      tell(
        'plugins',
        Object.fromEntries(running.map(({ plugin: { feature } }) => [feature, true])),
      ),
  }
}

/** A logo by its digest: it can have a hundred kilobytes. */
function shown({ brand, ...others }: RunTimeSettings): Readonly<Record<string, Json>> {
  const logo = brand?.logo && createHash('sha256').update(brand.logo).digest('hex')
  const whole = { ...others, ...(brand && { brand: { ...brand, ...(logo && { logo }) } }) }
  return JSON.parse(JSON.stringify(whole)) as Readonly<Record<string, Json>>
}
