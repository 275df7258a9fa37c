import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../lib/user-error.ts'
import { hasDatabase } from '../storage/backups/restore.ts'
import type { Address } from '../storage/database.ts'
import { checkAccess } from './check-access.ts'
import { expectSameDatabase } from './running-server.ts'
import type { Setting } from './setting.ts'
import { readServerSettings, type ServerSettings } from './settings-from-env.ts'

/** Reads the settings from the environment. Throws a `UserError` with all mistakes. */
export function readEnvironment({ env, table }: Setting): ServerSettings {
  const read = readServerSettings(env, table)
  if ('mistakes' in read) throw new UserError(read.mistakes.join('\n'))
  return read.settings
}

/** Throws a `UserError` if there is no database. */
export function expectInstance(setting: Setting): void {
  const server = readEnvironment(setting)
  const { dataDir } = server
  if (existsSync(dataDir)) checkAccess(dataDir)
  expectSameDatabase(server)
  if (hasInstance(server)) return
  throw new UserError(
    `There is no database in ${dataDir}. Set LINNET_DATA_DIR to the folder that has one, or start Linnet there first.`,
  )
}

/** Whether there is a database. One on a server counts without being asked. */
export function hasInstance(server: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>): boolean {
  return server.databaseUrl !== undefined || hasDatabase(databaseFile(server))
}

/** The address of the database in the settings. */
export function addressOf(server: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>): Address {
  const { databaseUrl: url } = server
  return url === undefined ? { file: databaseFile(server) } : { url }
}

/** The database file of the data folder. With a database on a server, it only tells where files beside it would be. */
export function databaseFile({ dataDir }: Pick<ServerSettings, 'dataDir'>): string {
  return join(dataDir, 'linnet.db')
}
