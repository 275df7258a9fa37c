import { buildCommandApp, type CommandApp } from '../../app/app.ts'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { withInstance } from '../data-folder.ts'
import { hasInstance, readEnvironment } from '../find-instance.ts'
import { type WholeSetting, withOutside } from '../plugins/with-outside.ts'
import { choiceOf, filesFolderOf, placeSourceOf, type Setting } from '../setting.ts'
import { readSettings } from '../stored-settings.ts'

/** Starts the plugins of an instance for a command, while `use` runs. The server may be running. */
export function withCommandApp<T>(
  setting: WholeSetting,
  signal: AbortSignal,
  use: (app: CommandApp, db: Database) => Promise<T>,
): Promise<T> {
  return withInstance(setting, async ({ server, storage, settings }) => {
    const choice = choiceOf(setting, server)
    const app = await buildCommandApp(
      {
        ...{ ...setting, storage, settings, choice, log, now: () => new Date() },
        baseUrl: server.baseUrl,
        dashboardUrl: server.dashboardUrl,
        trustedProxies: server.trustedProxies,
        ownNetwork: server.ownNetwork,
        targetSchemes: server.targetSchemes,
        deletedDays: server.deletedDays,
        placeSource: placeSourceOf(server),
        filesFolder: filesFolderOf(server),
      },
      signal,
    )
    try {
      return await use(app, storage.db)
    } finally {
      await app.close()
    }
  })
}

/** A setting with the plugins that did not come with Linnet. */
export async function wholeSetting(ours: Setting): Promise<WholeSetting> {
  const server = readEnvironment(ours)
  const stored = hasInstance(server) ? (await readSettings(server)).plugins : undefined
  return withOutside(ours, server, stored)
}

/** Plugins that log while a command runs; what they only inform of is left out. */
const log: Log = {
  info: () => undefined,
  warn: message => process.stderr.write(`${message}\n`),
  error: message => process.stderr.write(`${message}\n`),
}
