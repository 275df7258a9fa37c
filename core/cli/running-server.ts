import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { z } from 'zod'
import { isTaken } from '../lib/files/lock-file.ts'
import { parseJson } from '../lib/text/json.ts'
import { UserError } from '../lib/user-error.ts'
import { findText } from '../lib/variable-text.ts'
import type { FolderLock } from '../storage/files/lock.ts'
import type { Setting } from './setting.ts'
import type { ServerSettings, ServerTable } from './settings-from-env.ts'

/** The lock of a data folder. */
export function lockFileOf(dataDir: string): string {
  return join(dataDir, 'linnet.lock')
}

/**
 * What a server notes of itself beside its lock, for commands whose environment is another one. It counts only while the
 * folder is locked: a server that is killed leaves it.
 */
const noted = z.object({
  /** What it was given, but for secrets. */
  variables: z.record(z.string(), z.string()),
  isOnPostgres: z.boolean(),
})

function noteFileOf(dataDir: string): string {
  return join(dataDir, 'linnet.running')
}

/** Notes the settings of a server until its lock is released. */
export function noteServer(
  { env, table }: Pick<Setting, 'env' | 'table'>,
  { dataDir, databaseUrl }: ServerSettings,
  lock: FolderLock,
): FolderLock {
  const variables = Object.fromEntries(
    notable(table).flatMap(variable => {
      const found = findText(variable, env)
      return found && 'text' in found ? [[variable.name, found.text]] : []
    }),
  )
  const note: z.output<typeof noted> = { variables, isOnPostgres: databaseUrl !== undefined }
  try {
    writeFileSync(noteFileOf(dataDir), `${JSON.stringify(note)}\n`)
  } catch {
    // The disk is full. Commands then know what they are given, and nothing more.
  }
  let isHeld = true
  return {
    ...lock,
    release() {
      // Once: later, the note is that of the next server.
      if (isHeld) forgetServer(dataDir)
      isHeld = false
      lock.release()
    },
  }
}

/** Removes what a server noted. Whoever does this has the lock. */
export function forgetServer(dataDir: string): void {
  rmSync(noteFileOf(dataDir), { force: true })
}

/** Settings that are no secret and stand alone. Where the folder is, a command knows. */
function notable({ dataDir, ...table }: ServerTable) {
  return Object.values(table).filter(({ secret, needs }) => !secret && !needs)
}

/** The environment of a command, with what the server that runs on the folder was given and the command was not. */
export function withSettingsOfServer(setting: Setting, dataDir: string): Setting {
  const { variables = {} } = serverOn(dataDir) ?? {}
  const { env, table } = setting
  const missing = notable(table)
    .filter(it => variables[it.name] !== undefined && findText(it, env) === undefined)
    .map(({ name }) => name)
  const taken = Object.fromEntries(missing.map(name => [name, variables[name]]))
  return { ...setting, env: { ...env, ...taken }, fromServer: missing }
}

/** Whether a server, or a command that needs the folder for itself, has it now. */
export function isFolderTaken(dataDir: string): boolean {
  let looker: BetterSqlite3.Database | undefined
  try {
    looker = new BetterSqlite3(lockFileOf(dataDir), {
      readonly: true,
      fileMustExist: true,
      timeout: 0,
    })
    looker.prepare('select 1 from sqlite_master').all()
    return false
  } catch (error) {
    return isTaken(error)
  } finally {
    looker?.close()
  }
}

function serverOn(dataDir: string): z.output<typeof noted> | undefined {
  const note = noted.safeParse(parseJson(readNote(dataDir))).data
  return note && isFolderTaken(dataDir) ? note : undefined
}

function readNote(dataDir: string): string {
  try {
    return readFileSync(noteFileOf(dataDir), 'utf8')
  } catch {
    return ''
  }
}

/** Throws a `UserError` if the server that runs on the folder has its data in another database than these settings say. */
export function expectSameDatabase({
  dataDir,
  databaseUrl,
}: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>): void {
  const server = serverOn(dataDir)
  if (!server || server.isOnPostgres === (databaseUrl !== undefined)) return
  throw new UserError(
    server.isOnPostgres
      ? `The server that runs on ${dataDir} has its data in PostgreSQL, and DATABASE_URL is not set here. Set it as that server has it.`
      : `The server that runs on ${dataDir} has its data there, in linnet.db, and DATABASE_URL is set here. Unset it, as that server has none.`,
  )
}
