import { whyNotMigrated } from '../../kernel/run/plugin-migrations.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Plugin } from '../../plugin.ts'
import { isOutOfReach } from '../../storage/files/out-of-reach.ts'
import { withInstance } from '../data-folder.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import type { Setting } from '../setting.ts'

/**
 * Tries the migrations of plugins on the database, and undoes them. Returns why plugins cannot run with the tables that
 * there are, by feature. If the database cannot be used, nothing is tried, and standard error says so.
 */
export async function tryMigrations(
  setting: Setting,
  plugins: readonly Plugin[],
): Promise<Readonly<Record<string, string>>> {
  const some = plugins.filter(({ migrations = {} }) => Object.keys(migrations).length > 0)
  if (some.length === 0 || !hasInstance(readEnvironment(setting))) return {}
  try {
    return await withInstance(setting, async ({ storage }) => {
      const found: Record<string, string> = {}
      for (const plugin of some) {
        const why = await whyNotMigrated(storage.db, plugin)
        if (why !== undefined) found[plugin.feature] = why
      }
      return found
    })
  } catch (error) {
    if (!(error instanceof UserError || isOutOfReach(error))) throw error
    const names = some.map(({ feature }) => feature).join(', ')
    process.stderr.write(
      `The migrations of ${names} were not tried; they run when the server starts. ${(error as Error).message}\n`,
    )
    return {}
  }
}
