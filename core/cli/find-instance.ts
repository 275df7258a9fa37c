import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasDatabase } from '../storage/backups/restore.ts'
import type { Address } from '../storage/database.ts'
import { checkAccess } from './check-access.ts'
import type { Setting } from './setting.ts'
import { readServerSettings, type ServerSettings } from './settings-from-env.ts'
import { UserError } from './user-error.ts'

/** The settings of the environment; throws all that is wrong with them. */
export function readEnvironment(env: Setting['env'], table: Setting['table']) {
  const read = readServerSettings(env, table)
  if ('mistakes' in read) throw new UserError(read.mistakes.join('\n'))
  return read
}

/** Throws a sentence where there is no database. */
export function expectInstance({ env, table }: Setting): void {
  const { settings: server } = readEnvironment(env, table)
  const { dataDir } = server
  if (existsSync(dataDir)) checkAccess(dataDir)
  if (hasInstance(server)) return
  throw new UserError(
    `There is no database in ${dataDir}. Set LINNET_DATA_DIR to the folder that has one, or start Linnet there first.`,
  )
}

/** Whether there is a database; one on a server is not asked for yet. */
export function hasInstance(server: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>): boolean {
  return server.databaseUrl !== undefined || hasDatabase(databaseFile(server))
}

/** Where the settings say that the database is. */
export function addressOf(server: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>): Address {
  const { databaseUrl: url } = server
  return url === undefined ? { file: databaseFile(server) } : { url }
}

/** The database of the data folder; with one on a server there is none, and its settings lie where they would. */
export function databaseFile({ dataDir }: Pick<ServerSettings, 'dataDir'>): string {
  return join(dataDir, 'linnet.db')
}
