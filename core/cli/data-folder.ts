import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../lib/user-error.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { openSettingsFile } from '../settings/settings-file.ts'
import { finishRestore } from '../storage/backups/restore.ts'
import { settingsBeside } from '../storage/backups/settings-beside.ts'
import type { Address, Storage } from '../storage/database.ts'
import { umaskFor } from '../storage/files/close-folder.ts'
import { damaged } from '../storage/files/inspect-file.ts'
import { type FolderLock, lockFolder } from '../storage/files/lock.ts'
import { isOutOfReach } from '../storage/files/out-of-reach.ts'
import { openDatabase } from '../storage/open/open-database.ts'
import type { OpenOptions } from '../storage/open/postgres.ts'
import { checkAccess } from './check-access.ts'
import { addressOf, databaseFile, expectInstance, readEnvironment } from './find-instance.ts'
import { forgetServer, lockFileOf } from './running-server.ts'
import type { Setting } from './setting.ts'
import type { ServerSettings } from './settings-from-env.ts'
import { openSettingsInDatabase } from './stored-settings.ts'

/** An open data folder. */
export interface DataFolder {
  readonly server: ServerSettings
  readonly storage: Storage
  readonly settings: SettingsStore
}

/** Creates the data folder if needed. Only the owner of the folder can read what this process writes there. */
export function prepareFolder(setting: Setting): ServerSettings {
  const server = readEnvironment(setting)
  makeFolder(server.dataDir)
  checkAccess(server.dataDir)
  return server
}

/**
 * Opens the data folder, which is created if needed, and the database, which may be on a server, while `use` runs.
 */
export async function withDataFolder<T>(
  setting: Setting,
  use: (folder: DataFolder) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const server = prepareFolder(setting)
  const file = databaseFile(server)
  // An interrupted restore may still have to put its settings in place.
  await finishRestore(file)
  const inFile =
    server.databaseUrl === undefined ? await openSettingsFile(settingsBeside(file)) : undefined
  const storage = await open(addressOf(server), { ...options, baseUrl: server.baseUrl })
  try {
    const settings = inFile ?? (await openSettingsInDatabase(storage, settingsBeside(file), tell))
    const result = await use({ server, storage, settings })
    await storage.close()
    return result
  } catch (error) {
    const damage = storage.damage.found()
    // The database stays open: closing it would write the log into the damaged file.
    if (damage !== undefined) throw damaged(file, damage)
    await storage.close()
    throw error
  }
}

/** Like `withDataFolder`, but throws a `UserError` and creates nothing if there is no database. */
export async function withInstance<T>(
  setting: Setting,
  use: (folder: DataFolder) => Promise<T>,
): Promise<T> {
  expectInstance(setting)
  return withDataFolder(setting, use, { expected: true })
}

/** Locks the data folder for this process while `use` runs. */
export async function withLock<T>(
  setting: Setting,
  use: (lock: FolderLock, server: ServerSettings) => Promise<T>,
): Promise<T> {
  const server = prepareFolder(setting)
  const lock = lockFolder(lockFileOf(server.dataDir))
  forgetServer(server.dataDir)
  try {
    return await use(lock, server)
  } finally {
    lock.release()
  }
}

async function open(address: Address, options: OpenOptions): Promise<Storage> {
  try {
    return await openDatabase(address, options)
  } catch (error) {
    if (!isOutOfReach(error) || !('file' in address)) throw error
    throw new UserError(
      `${address.file} cannot be opened: ${(error as Error).message}. ` +
        'Check whether its disk is full or read-only, and whether another program uses it.',
    )
  }
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Creates the folder, and sets the umask so that only its owner can read what this process writes there. */
function makeFolder(folder: string): void {
  try {
    makeAll(folder)
    process.umask(umaskFor(folder))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `The data folder ${folder} cannot be created: ${reason}. Set LINNET_DATA_DIR to another folder.`,
    )
  }
}

/** Level by level, because `recursive` never ends where the system refuses every folder as missing, as in /proc. */
function makeAll(folder: string): void {
  if (existsSync(folder)) return
  makeAll(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}
